"""`stetho.trace()`: every operation of a block of code, and where NaN or infinity began in it."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stetho.capture.torch.autopsy.live import LiveTrace


class Trace:
    """A trace of a block of code. Printed, it is a table of the operations; `births` tells where bad values began."""

    def __init__(self, model: Any = None) -> None:
        self._names = {id(module): name for name, module in model.named_modules()} if model is not None else {}
        self._live: LiveTrace | None = None
        self._document: dict[str, Any] = {"operations": 0, "rows": [], "births": []}

    @property
    def operations(self) -> list[dict[str, Any]]:
        """A row for each operation: number, operation, phase, layer, line, values, bad."""
        return list(self._document["rows"])

    @property
    def births(self) -> list[dict[str, Any]]:
        """Where values that are not finite were born, the earliest first; empty if all of them were taken in."""
        return list(self._document["births"])

    def __enter__(self) -> Trace:
        from stetho.capture.torch.autopsy.live import LiveTrace

        self._live = LiveTrace(lambda module: self._names.get(id(module)) or type(module).__name__)
        self._live.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        live, self._live = self._live, None
        if live is not None:
            live.stop()
            self._document = live.document(live.tracer.log, live.tracer.before)

    def __str__(self) -> str:
        from stetho.views.trace import trace_text

        return trace_text(self._document)


def trace(model: Any = None) -> Trace:
    """Trace every operation of a `with` block, with or without gradients, in and outside of models.

    With `model`, layers have the names they have in it.

    >>> import torch
    >>> with trace() as traced:
    ...     ignored = torch.tensor([1.0, 0.0]).log().sum()
    >>> [row["operation"] for row in traced.operations][-2:]
    ['log', 'sum']
    >>> traced.births[0]["expression"], traced.births[0]["index"]
    ('log(0)', [1])
    """
    return Trace(model)
