"""Op-level tracing of a watched program, from one step on until a value is no number."""

from time import perf_counter

from torch import Tensor

from stetho.capture.guard import Guard
from stetho.capture.recorder import Recorder
from stetho.capture.torch.autopsy.births import Birth, births_of
from stetho.capture.torch.autopsy.live import LiveTrace
from stetho.capture.torch.autopsy.values import ValueFile
from stetho.capture.torch.models.models import Models
from stetho.store.format import TRACE_FILE, TRACE_VALUES_FILE

PAUSE = 1.0
"""Seconds from one trace that is written to the next, so that little is lost with a process that is killed."""
SHARE = 0.01
"""Of the time, so much may go into writing."""


class Tracing:
    """Traces each step from `first` on, and writes down the last of them."""

    def __init__(self, first: int, guard: Guard, models: Models, recorder: Recorder, *, with_values: bool) -> None:
        self._first = first
        self._models = models
        self._recorder = recorder
        self._live = LiveTrace(self._name, ours=guard, on_error=lambda: guard.trip("trace"))
        self._values = ValueFile(lambda: recorder.writer.path / TRACE_VALUES_FILE) if with_values else None
        self._live.tracer.values = self._values
        self._number = 0
        self._is_written = True
        self._next_write = 0.0
        self.is_on = False
        self.is_over = False

    def step_begins(self, number: int) -> None:
        """A step begins."""
        if number >= self._first and not self.is_on and not self.is_over:
            self._live.start()
            self.is_on = True

    def step_ended(self, number: int, *, has_fault: bool) -> None:
        """A step is over; with a fault in it there is nothing more to look for."""
        if self.is_on:
            self._live.tracer.turn()
            self._number = number
            self._is_written = False
            # Values are put in place beside the trace that they belong to.
            if has_fault or self._values is not None or perf_counter() >= self._next_write:
                self._write()
            if has_fault:
                self.is_over = True
                self.stop()
        self.step_begins(number + 1)

    def births(self, end: Tensor | None) -> list[Birth]:
        """Where the bad values of one tensor began, or all that are left in the step under way."""
        tracer = self._live.tracer
        source = tracer.maker(end) if end is not None else None
        return births_of([source], tracer.log.by_number) if source is not None else self._live.births(tracer.log)

    def stop(self) -> None:
        """Trace no more."""
        if self.is_on:
            self.is_on = False
            self._live.stop()
            if not self._is_written:
                self._write()
            if self._values is not None:
                self._values.drop()

    def _write(self) -> None:
        """The last step as a document. Making it takes far longer than the step, so not each of them is written."""
        began = perf_counter()
        tracer = self._live.tracer
        document = {"step": self._number} | self._live.document(tracer.before, tracer.earlier)
        self._recorder.writer.write_json(TRACE_FILE, document)
        if self._values is not None:
            self._values.settle()
        self._is_written = True
        now = perf_counter()
        self._next_write = now + max(PAUSE, (now - began) / SHARE)

    def _name(self, module: object) -> str:
        layer = self._models.layer(module)  # type: ignore[arg-type]  # hooks of modules come with modules
        return (layer.name if layer is not None else "") or type(module).__name__
