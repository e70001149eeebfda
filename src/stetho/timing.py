"""`stetho.profile`: where the time and memory of a function or a block of code go."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from stetho.errors import StethoError, UsageError, kind_of
from stetho.profiling.attachment import Attachment, Settings
from stetho.profiling.files import write_profile
from stetho.profiling.records import Profile, Span

if TYPE_CHECKING:
    from stetho.profiling.records import LayerCost, OpCost


class Profiling:
    """A profile that is being made, of a `with` block, or is there. Printed, it is the report."""

    def __init__(self, settings: Settings, model: Any = None) -> None:
        self._attachment = Attachment(settings, ends_program=False)
        self._model = model
        self._result: Profile | None = None

    @property
    def result(self) -> Profile:
        """Everything that was measured."""
        if self._result is None:
            raise StethoError(f"there is no profile: {self._attachment.problem}")
        return self._result

    @property
    def layers(self) -> tuple[LayerCost, ...]:
        """What each layer costs, in the order of their first calls."""
        return self.result.layers

    @property
    def operations(self) -> tuple[OpCost, ...]:
        """What each operation costs, the dearest first."""
        return self.result.ops

    @property
    def is_done(self) -> bool:
        """Whether everything is measured; a loop may end then."""
        return self._attachment.is_done

    def step(self) -> None:
        """Say that a step is over, in a block without optimizers."""
        self._attachment.step_done()

    def save(self, file: str | Path) -> None:
        """Write it as .csv, .json, .trace.json, .speedscope.json, .folded or .html (a flame graph)."""
        write_profile(self.result, Path(file))

    def run(self, function: Callable[[], object]) -> None:
        """Call a function until everything is measured; each call is a step."""
        with self:
            self._attachment.run(function)

    def __enter__(self) -> Profiling:
        self._attachment.start()
        self._attachment.adopt(self._model)
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._result = self._attachment.finish()

    def __str__(self) -> str:
        from stetho.views.profile import print_profile

        drawn = io.StringIO()
        print_profile(self.result, drawn, title="stetho.profile")
        return drawn.getvalue()

    def __repr__(self) -> str:
        return str(self).rstrip("\n") if self._result is not None else "<stetho.profile: nothing is measured yet>"

    def _repr_html_(self) -> str:
        from html import escape

        # A kernel asks for colours everywhere. Rows are wider than a cell, and one that is broken cannot be read.
        plain = escape(re.sub(r"\x1b\[[\d;]*m", "", repr(self)))
        return f'<pre style="font-family: monospace; overflow-x: auto; white-space: pre">{plain}</pre>'


def profile(
    function: Callable[[], object] | None = None,
    *,
    model: Any = None,
    steps: int = 20,
    warmup: int = 5,
    callback: Callable[[Span], object] | None = None,
) -> Profiling:
    """Profile a function, which is called until everything is measured, or a `with` block that trains.

    In a block, a step ends with an optimizer's update, and the loop can end when `is_done`; the rest of it runs at full
    speed. `callback` is called with every span of the recorded steps: name, kind, layer, step, start, seconds.

    >>> import torch
    >>> model = torch.nn.Linear(8, 2)
    >>> profiled = profile(lambda: model(torch.ones(4, 8)).sum().backward(), model=model, steps=3, warmup=1)
    >>> [layer.name for layer in profiled.layers]
    ['model']
    >>> profiled.result.verdict.bound in ("python", "compute", "input", "waiting")
    True
    """
    if function is not None and (not callable(function) or hasattr(function, "named_modules")):
        raise UsageError(
            f"`function` is {kind_of(function)}; give a function without arguments that makes one step, "
            "as in: lambda: model(inputs)"
        )
    if model is not None and not hasattr(model, "named_modules"):
        raise UsageError(f"`model` is {kind_of(model)}, which has no layers; give a torch.nn.Module")
    made = Profiling(Settings(steps=steps, warmup=warmup, callback=callback), model)
    if function is not None:
        made.run(function)
    return made
