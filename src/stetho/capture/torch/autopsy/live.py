"""Op-level tracing of code as it runs: every operation with its layer, its line and its values."""

from collections.abc import Callable
from typing import Any

from torch.nn import Module
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
from torch.utils.hooks import RemovableHandle

from stetho.capture.torch.autopsy.births import Birth, births_of
from stetho.capture.torch.autopsy.document import birth_document
from stetho.capture.torch.autopsy.log import Log, Row
from stetho.capture.torch.autopsy.ops import Source
from stetho.capture.torch.autopsy.tracer import NOBODY, OpTracer, Ours

ONLY_ASKED = ("ones_like", "zeros_like", "full_like", "empty_like", "rand_like", "randn_like", "local_scalar_dense",
              "isnan", "isinf", "isfinite", "eq", "ne", "detach", "is_nonzero", "lift_fresh")  # fmt: skip
"""Operations that are given a bad value and do nothing with it: it is as bad afterwards as before."""


class LiveTrace:
    """Traces from `start` to `stop`; `name_of` gives the names of layers."""

    def __init__(
        self,
        name_of: Callable[[Module], str],
        ours: Ours = NOBODY,
        on_error: Callable[[], None] | None = None,
    ) -> None:
        self.tracer = OpTracer(ours=ours, on_error=on_error)
        self._name_of = name_of
        self._handles: list[RemovableHandle] = []
        self._running = False

    def start(self) -> None:
        """Look at every operation from now on."""
        layers = self.tracer.layers

        def leave(_module: Module, _args: object, _output: object) -> None:
            if layers:
                layers.pop()

        self._handles = [
            register_module_forward_pre_hook(lambda module, _: layers.append(self._name_of(module))),
            register_module_forward_hook(leave, always_call=True),
            register_optimizer_step_pre_hook(lambda *_: self._phase("optimizer")),
            register_optimizer_step_post_hook(lambda *_: self._phase("forward")),
        ]
        self.tracer.__enter__()  # type: ignore[no-untyped-call]
        self._running = True

    def stop(self) -> None:
        """Look no more."""
        if self._running:
            self._running = False
            self.tracer.__exit__(None, None, None)  # type: ignore[no-untyped-call]
        for handle in self._handles:
            handle.remove()
        self._handles = []
        self.tracer.layers.clear()

    def births(self, log: Log) -> list[Birth]:
        """Where the bad values were born that nothing took in, the earliest first."""
        taken = {source.op for op in log.ops if op.name not in ONLY_ASKED for source in op.sources}
        ends = [
            Source(op.number, None, op.has_nan, only_negative=False)
            for op in log.ops
            if op.is_bad and op.number not in taken and not op.constant and op.name not in ONLY_ASKED
        ]
        return births_of(ends, log.by_number)

    def document(self, log: Log, before: Log | None = None) -> dict[str, Any]:
        """Everything as plain data; operations of gradients are looked for in the log `before` as well."""
        rows = [_row(row, log) for row in log.rows(before) if row.given or row.made]
        births = [birth_document(birth, batch=None) for birth in self.births(log)]
        return {"operations": len(rows), "rows": rows, "births": births}

    def _phase(self, phase: str) -> None:
        self.tracer.phase = phase


def _row(row: Row, log: Log) -> dict[str, Any]:
    of = row.gradient_of
    op = log.by_number.get(row.number)
    return {
        "number": row.number,
        "operation": row.kind.name if of is None else f"{row.kind.name} (gradient of {of})",
        "phase": row.phase,
        "layer": row.home,
        "line": row.line,
        "values": log.values(row),
        "bad": [word for word, is_so in (("nan", op.has_nan), ("inf", op.has_inf)) if is_so] if op is not None else [],
        **log.kept.get(row.number, {}),
    }
