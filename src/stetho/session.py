"""One watched run: joins capture and store. Made before the framework is imported; loads what is heavy when it is."""

from __future__ import annotations

import os
import traceback
import warnings
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from stetho.callbacks import Callbacks
from stetho.capture.forks import follow_forks
from stetho.capture.guard import Guard
from stetho.capture.on_import import when_imported
from stetho.capture.startup import call_startup
from stetho.capture.witness import Witness
from stetho.config import Options
from stetho.errors import error_line
from stetho.explaining.report import ErrorReport
from stetho.records import Ending, Judge, Status, Voice
from stetho.views.step_line import step_line

if TYPE_CHECKING:
    from stetho.capture.background import Background
    from stetho.capture.memory import MemoryReader
    from stetho.capture.recorder import Recorder
    from stetho.capture.torch.capture import TorchCapture

_active: Session | None = None


def active() -> Session | None:
    """The session that watches this process, if any."""
    return _active


class Session:
    """Watches a program from `start` to `stop`; nothing it does raises into the program."""

    def __init__(
        self,
        options: Options,
        *,
        command: Sequence[str],
        voice: Voice,
        judge: Judge | None = None,
        witness: Witness | None = None,
        is_program: bool = True,
    ) -> None:
        self.options = options
        self.is_program = is_program
        self.callbacks = Callbacks(self._warn)
        self.capture: TorchCapture | None = None
        self._command = list(command)
        self._voice = voice
        self._judge = judge
        self._witness = witness
        self._guard = Guard(self._on_trip)
        self._guard.on_lost = self._on_lost
        self._recorder: Recorder | None = None
        self._background: Background | None = None
        self._memory: MemoryReader | None = None
        self._path_at_end: Path | None = None
        self._paused = False
        self._call_off: Callable[[], None] = lambda: None
        self._capture_error: str | None = None
        self.error: ErrorReport | None = None
        self._pid = os.getpid()
        self._began = perf_counter()

    @property
    def path(self) -> Path | None:
        """Folder of the run; None as long as nothing was recorded."""
        return self._recorder.path if self._recorder is not None else self._path_at_end

    @property
    def saw_framework(self) -> bool:
        """Whether the program imported a framework that we can watch."""
        return self.capture is not None

    @property
    def has_failed(self) -> bool:
        """Whether an error of ours has ended watching, which was told when it happened."""
        return self._capture_error is not None

    def start(self) -> None:
        """Begin: watch as soon as the framework is there."""
        global _active
        _active = self
        follow_forks(active)
        if self.options.startup is not None:
            try:
                self.callbacks.add(call_startup(self.options.startup, self._command))
            except BaseException:
                _active = None
                raise
        self._call_off = when_imported("torch", lambda _: self._attach())

    def adopt(self, model: Any, optimizers: Sequence[Any]) -> None:
        """Take a model and optimizers that were there before the session."""
        capture = self.capture
        if capture is not None:
            self._guard.wrap("adopt", capture.adopt)(model, list(optimizers))

    def log(self, values: dict[str, float]) -> None:
        """Record metrics of the user's own at the current step."""
        recorder, capture = self._recorder, self.capture
        if recorder is None or capture is None:
            return
        self._guard.wrap("log", recorder.log)(capture.clock.done, values, self._warn)

    def status(self) -> Status | None:
        """The numbers of the live line; None before the first step."""
        capture = self.capture
        return capture.clock.status() if capture is not None and capture.clock.done > 0 else None

    def stop(self, ending: Ending) -> None:
        """End: detach everything and close the run. Never raises; the second call does nothing."""
        global _active
        if _active is self:
            _active = None
        self._call_off()
        if os.getpid() != self._pid or self._recorder is None:
            return
        try:
            self._close(ending)
        except Exception:
            # One warning is enough: an error of ours before this one has told it already.
            if self._capture_error is None:
                self._warn(f"the end of the run could not be recorded: {_last_line()}")
        self._recorder = None
        if self._witness is not None:
            self._witness.stop()
        self.callbacks.call("on_run_end", self._path_at_end)

    # ---- the parts

    def _attach(self) -> None:
        """The framework has just been imported: install capture. Called from inside the program's import."""
        try:
            self._build()
        except Exception:
            self._on_trip("attach", traceback.format_exc())

    def _build(self) -> None:
        from stetho.capture.background import Background
        from stetho.capture.memory import MemoryReader
        from stetho.capture.recorder import Recorder
        from stetho.capture.torch.capture import TorchCapture
        from stetho.capture.torch.numbers import fetch_numbers

        self._recorder = Recorder(self.options, self._command, fetch_numbers)
        if self.options.tensorboard:
            from stetho.capture.mirror import EventMirror

            self._recorder.mirror = EventMirror()
        self.capture = TorchCapture(self.options, self._recorder, self._guard, self._voice)
        self.capture.clock.on_end.append(self._on_step)
        self.capture.on_epoch = self._on_epoch
        self.capture.install()
        self._memory = MemoryReader(dense=self.options.memory)
        self._background = Background(self._guard_background, 0.5 if self.options.memory else 1.0)
        self._background.start()
        self.callbacks.call("on_run_begin")
        self.callbacks.call("on_step_begin", 1)

    def _close(self, ending: Ending) -> None:
        recorder, capture, background = self._recorder, self.capture, self._background
        assert recorder is not None
        if background is not None:
            background.stop()
            self._guard_background()
        totals: dict[str, object] = {}
        if capture is not None:
            if self._guard.alive:
                self._guard.wrap("finish", capture.finish)()
                if capture.epoch is not None:
                    self.callbacks.call("on_epoch_end", capture.epoch)
            totals = capture.totals()
            capture.remove()
        self._guard.alive = False
        self.capture = None
        if self.error is not None:
            recorder.keep_error(self.error.document())
        recorder.close(self._ending(ending, totals), even_if_empty=self._capture_error is not None)
        self._path_at_end = recorder.path

    def _ending(self, ending: Ending, totals: dict[str, object]) -> dict[str, object]:
        seconds = perf_counter() - self._began
        ours = self._guard.seconds + (self._judge.seconds if self._judge is not None else 0.0)
        tiers = totals.get("tiers")
        return {
            "ended": datetime.now(UTC).isoformat(timespec="seconds"),
            "seconds": seconds,
            "steps": totals.get("steps", 0),
            "metrics": totals.get("metrics", {}),
            "exit": {"kind": ending.kind, "code": ending.code, "error": ending.error, "where": ending.where},
            "overhead": {"seconds": ours, "share": ours / max(seconds, 1e-9), "worked": self._guard.worked}
            | (tiers if isinstance(tiers, dict) else {}),
            "capture_error": self._capture_error,
        }

    # ---- what happens while the program runs

    def _on_step(self, row: dict[str, object]) -> None:
        step, recorder = row["step"], self._recorder
        if self._witness is not None and recorder is not None:
            self._witness.follow(recorder.path, step)  # type: ignore[arg-type]  # step is a number
        if self.options.verbose:
            self._voice.say(step_line(row, detailed=self.options.verbose > 1))
        if self.callbacks.all and self.capture is not None:
            self.capture.clock.stay_awake()
            with self._guard.theirs():
                self.callbacks.call("on_step_end", step, row)
                self.callbacks.call("on_step_begin", int(step) + 1)  # type: ignore[call-overload]  # step is a number
        if recorder is not None and step % 50 == 0:  # type: ignore[operator]
            recorder.settle()

    def _on_epoch(self, before: int | None, now: int) -> None:
        with self._guard.theirs():
            if before is not None:
                self.callbacks.call("on_epoch_end", before)
            self.callbacks.call("on_epoch_begin", now)

    def _guard_background(self) -> None:
        if self._guard.alive:
            try:
                self._in_background()
            except Exception:
                self._guard.trip("background")

    def _in_background(self) -> None:
        recorder, memory = self._recorder, self._memory
        if recorder is None or recorder.path is None or memory is None:
            return
        step = self.capture.clock.done if self.capture is not None else 0
        if self._witness is not None:
            self._witness.follow(recorder.path, step)
        for row in memory.read():
            recorder.writer.append("memory", row | {"step": step, "time": recorder.clock()})
        recorder.flush()
        if self._judge is not None and self._background is not None and self._background.is_wanted():
            self._judge.look(recorder.path, step, self._background.meanwhile(recorder.flush))

    # ---- when something of ours goes wrong

    def _on_trip(self, point: str, text: str) -> None:
        self._capture_error = text
        self._guard.alive = False
        self._warn(f"watching stopped at `{point}`, the program goes on unwatched: {error_line(text)}")
        if self.capture is not None:
            try:
                self.capture.remove()
            except Exception:
                self._capture_error += "\n" + traceback.format_exc()
        if self._recorder is not None:
            self._recorder.release()

    def _on_lost(self, part: str, text: str) -> None:
        lost = f"«{part}» is not looked at any further, all the rest is: {error_line(text)}"
        self._warn(lost)
        if self._recorder is not None:
            self._recorder.note("lost", lost, traceback=text)

    def _warn(self, text: str) -> None:
        try:
            self._voice.say(text)
        except Exception:
            warnings.warn(text, stacklevel=2)

    # ---- forks

    def before_fork(self) -> None:
        """No thread of ours while the process is copied."""
        if self._background is not None and self._background.is_running:
            self._background.stop()
            self._paused = True

    def after_fork_in_parent(self) -> None:
        """Go on."""
        if self._background is not None and self._paused:
            self._paused = False
            self._background.start()

    def after_fork_in_child(self) -> None:
        """The run belongs to the parent: here nothing is watched."""
        global _active
        _active = None
        self._guard.alive = False
        if self._recorder is not None:
            self._recorder.abandon()
        self._recorder = None


def _last_line() -> str:
    return traceback.format_exc().strip().splitlines()[-1]
