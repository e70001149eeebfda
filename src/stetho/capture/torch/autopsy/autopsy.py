"""Notices the first value that is no number, and finds out where it was born before the optimizer spreads it."""

from collections.abc import Callable
from math import isfinite
from time import perf_counter
from types import FrameType
from typing import Any

from torch import Tensor
from torch.nn import Module

from stetho.capture.guard import Guard
from stetho.capture.lines import Lines
from stetho.capture.source import line_of, user_frame
from stetho.capture.step import Clock
from stetho.capture.torch.autopsy.evaluations import Evaluations, is_evaluation
from stetho.capture.torch.autopsy.examination import examined
from stetho.capture.torch.autopsy.hidden import Hiding
from stetho.capture.torch.autopsy.kept import BackwardCall, Event, Kept
from stetho.capture.torch.autopsy.tape import TapeMode
from stetho.capture.torch.autopsy.telling import Circumstances, birth_place, parameter_document, told
from stetho.capture.torch.autopsy.tracing import Tracing
from stetho.capture.torch.breaks import Breaks
from stetho.capture.torch.calls.forward import Forward
from stetho.capture.torch.calls.passes import Pass
from stetho.capture.torch.patches import Patches
from stetho.capture.torch.probes.probes import Probes
from stetho.capture.torch.updates.optimizers import Optimizers

MOST_AUTOPSIES = 3
SKIPPED_IN_A_ROW = 8
ALARMED_STEPS = 200
AFFORDED = 100.0
"""Where there are fewer steps a second, each can be kept: that takes a quarter of a millisecond."""

WriteBundle = Callable[[str, int, list[Event], dict[str, Any]], object]


class Autopsies:
    """Follows a training; `found` holds what came of each autopsy."""

    def __init__(
        self,
        guard: Guard,
        clock: Clock,
        forward: Forward,
        optimizers: Optimizers,
        lines: Lines,
        breaks: Breaks,
        tracing: Tracing | None = None,
        write_bundle: WriteBundle | None = None,
    ) -> None:
        self._write_bundle, self._breaks = write_bundle, breaks
        self._guard = guard
        self.tracing = tracing
        self._clock = clock
        self._forward = forward
        self._optimizers = optimizers
        self._lines = lines
        self._mode = TapeMode(guard)
        self._kept = Kept(self._mode)
        self.evaluations = Evaluations(self._mode, self._look_at_evaluation)
        self._last_finite, self._last_norm = 0, 0.0
        self._missed_at = -ALARMED_STEPS
        self._ill = False
        self._hiding = Hiding(guard, lambda: clock.step.tier == "full" and not self.found)
        self._skipped = 0
        self._done = 0
        self._calls_models = False
        self.probes = Probes(guard, clock, lambda: forward.compiled)
        self.on_found: Callable[[], None] = lambda: None
        self.found: list[dict[str, Any]] = []

    def install(self, patches: Patches) -> None:
        """Begin to follow."""
        self._clock.step.kept = self._is_wanted()
        if self.tracing is not None:
            self.tracing.step_begins(1)
        self._mode.install(patches)
        self._hiding.install(patches)

    # ---- what happens in a step

    def pass_begins(self, module: Module, running: Pass, args: Any, kwargs: Any, frame: FrameType) -> None:
        """A model is called from outside."""
        self.evaluations.settle()
        line = line_of(user_frame(frame))
        if not running.grad and self._kept.is_empty and self.evaluations.is_wanted(perf_counter()):
            self.evaluations.call_begins(module, running.entry.name, args, kwargs, str(line) if line else None)
            return
        if not running.grad or not self._is_wanted():
            self._mode.stop()
            return
        self._calls_models = True
        if running.training and is_evaluation(self._kept.events, of=module):
            self.evaluations.settle(self._kept.events)
            self._kept.clear()
        self._kept.call_begins(module, running.entry.name, args, kwargs, str(line) if line else None)

    def pass_ends(self, running: Pass, output: object) -> None:
        """It gave this."""
        if self.evaluations.is_open:
            self.evaluations.call_ends(output)
            return
        if not self._is_wanted():
            return
        if running.grad:
            self._kept.call_ends(output, follow=self._can_follow())
        else:
            self._kept.resume()

    def backward_begins(self, loss: Tensor | None, value: object, frame: FrameType) -> None:
        """A backward pass begins at a loss of this value."""
        number = float(value) if isinstance(value, float) else None
        self.evaluations.settle()
        if not self._is_wanted():
            self.missed(number)
            return
        line = line_of(user_frame(frame))
        self._kept.backward_begins(loss, str(line) if line else None)
        self.evaluations.learns_at(self._kept.events)
        if number is not None and not isfinite(number):
            self._examine("loss", number)
        elif self._write_bundle is not None and number is not None and self._clock.is_spike(number):
            self._write_bundle("spike of the loss", self._clock.step.number, self._kept.events, {})
        elif self._hiding.is_seen:
            self._hiding.is_seen = False
            self._examine("hidden", number)

    def before_update(self, norm: object) -> None:
        """An optimizer is about to use gradients of this norm."""
        if self._kept.events:
            self._mode.stop()
        if self._breaks.is_waiting or self._breaks.has_conditions:
            self._breaks.before_update(norm, self._kept.events)
        if norm is None:
            return
        value = float(norm)  # type: ignore[arg-type]  # a number, or a tensor with one
        self._skipped = 0
        if isfinite(value):
            self._last_finite, self._last_norm, self._ill = self._clock.step.number, value, False
            if self.found:
                # A scaler that found its scale after many skipped steps did what it is for.
                self.found = [each for each in self.found if each["trigger"] != "skipped"]
        elif self._is_wanted():
            self._examine("gradient", value)
        else:
            self.missed(value)

    def parameter_is_nan(self, name: str) -> None:
        """A parameter had NaN in it before the update, though loss and gradients may be finite all the same."""
        if not self.found and not self._ill and not self._guard.asleep:
            self._add({"step": self._clock.step.number, "trigger": "parameter"} | parameter_document(name, self._now()))

    def skipped(self) -> None:
        """A gradient scaler left an update out: normal now and then, and worth a look when it does so all the time."""
        self._skipped += 1
        if self._skipped == SKIPPED_IN_A_ROW and self._is_wanted() and not self.found:
            self._examine("skipped", None)
            self._ill = False

    def step_done(self) -> None:
        """Keep nothing past the step."""
        if not self._kept.is_empty:
            self.probes.step_done(self._kept.events)
            self._kept.clear()
        if self.tracing is not None:
            self.tracing.step_ended(self._clock.done, has_fault=bool(self.found))
        if self._guard.asleep:
            self.evaluations.settle()  # nothing wakes us up at its end
        is_kept = self._clock.step.kept = self._is_wanted()
        if is_kept and not self._calls_models and self._clock.done > 0 and self._can_follow():
            # No module is ever called: the step is all made of single operations.
            self._kept.follow()

    def open_shell(self, frame: FrameType) -> None:
        """The program asks for a shell; what is done in there is not followed."""
        under_way = self._kept.under_way
        self._mode.stop()
        self._breaks.open_at(frame, self._kept.events, under_way)
        if under_way is None:
            self._kept.resume()

    def apart(self, compiled: Callable[..., Any], original: Callable[..., Any]) -> Callable[..., Any]:
        """What was compiled, such that following what happens around it does not make it compile again."""
        return self._mode.apart(compiled, original)

    @property
    def is_over(self) -> bool:
        """Whether tracing has found what it was on for."""
        return self.tracing is not None and self.tracing.is_over

    def results(self) -> dict[str, dict[str, Any] | None]:
        """What model.json says of it, and of experiments; None if there was no reason to look."""
        return {"autopsy": {"faults": self.found} if self.found else None, "calls": self.probes.result()}

    def finish(self) -> None:
        """Nothing comes any more: what is left is an evaluation, if anything."""
        self.evaluations.settle(self._kept.events if is_evaluation(self._kept.events) else None)

    def clear(self) -> None:
        """Let go of everything."""
        self._kept.clear()
        self.evaluations.clear()
        self._mode.stop()
        if self.tracing is not None:
            self.tracing.stop()

    def _can_follow(self) -> bool:
        return self._clock.step.tier in ("full", "cheap")

    def _is_wanted(self) -> bool:
        # Of short steps only those are kept that are looked at closely. After a fault in a step that was not kept, all
        # are for a while: it may come again.
        if self._done >= MOST_AUTOPSIES or self._ill or self._guard.asleep:
            return False
        step = self._clock.step
        is_alarmed = 0 < step.number - self._missed_at <= ALARMED_STEPS
        return step.close or is_alarmed or self._breaks.is_waiting or self._clock.is_slower_than(AFFORDED)

    def missed(self, value: object) -> None:
        """A loss, or the norm of a gradient, in a step that is not kept."""
        if isinstance(value, float) and not isfinite(value):
            self._missed_at = self._clock.step.number

    # ---- the autopsy

    def _examine(self, trigger: str, value: float | None) -> None:
        began = perf_counter()
        self._done += 1
        # One fault has many bad steps after it; only when it was over can there be another.
        self._ill = trigger != "hidden"
        document: dict[str, Any] = {
            "step": self._clock.step.number,
            "trigger": trigger,
            "value": None if value is None else str(value),
            "last_finite_step": self._last_finite,
        }
        asleep, self._guard.asleep = self._guard.asleep, True
        try:
            is_traced = self.tracing is not None and self.tracing.is_on
            again = None if is_traced else examined(trigger, self._now(), whole=self._kept.whole)
            document |= self._traced(trigger) if again is None else again[0]
        except Exception as error:  # code of the program's, run once more by us
            document["failed"] = f"{type(error).__name__}: {error}"[:500]
        finally:
            self._guard.asleep = asleep
        document["seconds"] = perf_counter() - began
        self._clock.step.other_ours += document["seconds"]
        if self._write_bundle is not None and trigger != "hidden":
            document["bundle"] = self._write_bundle(trigger, self._clock.step.number, self._kept.events, document)
        # What is hidden on purpose, as missing values of the data are, is worth no word.
        if trigger != "hidden" or "operation" in document:
            self._add(document)
        if trigger != "hidden":
            self._breaks.on_fault(self._kept.events, document)

    def _add(self, document: dict[str, Any]) -> None:
        """The same again is worth no word; a parameter that has reached the loss by now is told as that.

        And what an evaluation met first is told by the training once that has met it.
        """
        name = document.get("name")
        self.found = [each for each in self.found if each["trigger"] != "parameter" or each["name"] != name]
        if document["trigger"] != "evaluation":
            same = [each for each in self.found if birth_place(each) == birth_place(document)]
            self.found = [each for each in self.found if each["trigger"] != "evaluation" or each not in same]
        if all(birth_place(each) != birth_place(document) for each in self.found):
            self.found.append(document)
            self.on_found()

    def _look_at_evaluation(self, events: list[Event], bad: list[Tensor], what: str) -> None:
        """Numbers of an evaluation are bad: a fault of its own, unless training has spoiled the model."""
        if self._ill or self.found:
            return
        began = perf_counter()
        step = self._clock.done
        document: dict[str, Any] = {"step": step, "trigger": "evaluation", "victim": what, "last_finite_step": step}
        asleep, self._guard.asleep = self._guard.asleep, True
        try:
            found, birth = examined("evaluation", self._now(events), whole=True, bad=bad)
        except Exception:  # code of the program's, run once more by us
            return
        finally:
            self._guard.asleep = asleep
        self._clock.step.other_ours += perf_counter() - began
        if birth is not None:
            self._add(document | found)

    def _now(self, events: list[Event] | None = None) -> Circumstances:
        done = self._clock.done
        last = self._last_finite, self._last_norm
        kept = self._kept.events if events is None else events
        return Circumstances(kept, done, *last, self._optimizers, self._lines)

    def _traced(self, trigger: str) -> dict[str, Any]:
        """Every operation was looked at as it happened: no need to do it again."""
        loss = next((e.loss for e in reversed(self._kept.events) if isinstance(e, BackwardCall)), None)
        births = self.tracing.births(loss if trigger == "loss" else None) if self.tracing is not None else []
        return {"phase": "unknown"} if not births else {"faithful": True} | told(births[0], None, self._now())
