"""Hooks that the program hangs on its modules: how many from one line stay on one module."""

import sys
from collections.abc import Callable
from typing import Any

from torch.nn import Module
from torch.utils.hooks import RemovableHandle

from stetho.capture.guard import FILES, Guard
from stetho.capture.lines import Lines
from stetho.capture.source import is_own_code, user_frame
from stetho.capture.step import Clock
from stetho.capture.torch.patches import WRAPPERS, Patches

METHODS = (
    "register_forward_hook",
    "register_forward_pre_hook",
    "register_full_backward_hook",
    "register_full_backward_pre_hook",
    "register_backward_hook",
)
OUR_FILES = {__file__} | WRAPPERS | FILES
"""What stands on the stack between a registration and the function of ours that hears of it."""
MOST = 64
"""So many hooks that stay tell enough; those that follow are only counted."""


class Pile:
    """The hooks from one line that are on one module."""

    def __init__(self, line: str, method: str, kind: str) -> None:
        self._handles: list[tuple[int, RemovableHandle]] = []
        self._facts: dict[str, object] = {"line": line, "call": method, "module": kind, "count": 0, "steps": []}

    def add(self, step: int, handle: RemovableHandle) -> None:
        """One more hook; those that were removed since are forgotten."""
        if len(self._handles) < MOST:
            self._handles = [(at, each) for at, each in self._handles if _is_on(each, handle)]
        self._handles.append((step, handle))
        if len(self._handles) >= int(self._facts["count"]):  # type: ignore[call-overload]  # a number of ours
            steps = sorted({at for at, _ in self._handles[:MOST]})
            self._facts |= {"count": len(self._handles), "steps": steps}

    @property
    def facts(self) -> dict[str, object]:
        """The most hooks that there were, and after which steps they came."""
        return dict(self._facts)


class Hooks:
    """All hooks that the program registers; our own come from our code, and are none of them."""

    def __init__(self, guard: Guard, clock: Clock, lines: Lines) -> None:
        self._guard = guard
        self._clock = clock
        self._lines = lines
        self._piles: dict[tuple[int, str], Pile] = {}

    def install(self, patches: Patches) -> None:
        """Follow the registrations."""
        registered = self._guard.wrap("hook registered", self._on_hook)

        def after(method: str) -> Callable[..., None]:
            return lambda handle, module, *_, **__: registered(handle, module, method)

        for method in METHODS:
            patches.around(Module, method, after=after(method))

    def facts(self) -> list[dict[str, object]]:
        """What model.json says: the piles that grew after several steps."""
        found = (pile.facts for pile in self._piles.values())
        return [facts for facts in found if len(facts["steps"]) > 1]  # type: ignore[arg-type]  # a list of ours

    def _on_hook(self, handle: Any, module: Module, method: str) -> None:
        caller = sys._getframe(1)
        while caller.f_code.co_filename in OUR_FILES and caller.f_back is not None:
            caller = caller.f_back
        if not isinstance(handle, RemovableHandle) or is_own_code(caller.f_code) or user_frame(caller) is None:
            return
        line = self._lines.note("hook", caller)
        pile = self._piles.setdefault((id(module), line), Pile(line, method, type(module).__name__))
        pile.add(self._clock.done, handle)


def _is_on(handle: RemovableHandle, other: RemovableHandle) -> bool:
    """Whether a hook is still there, on the same module as another one."""
    hooks = handle.hooks_dict_ref()
    is_same = hooks is other.hooks_dict_ref()
    return hooks is not None and is_same and handle.id in hooks
