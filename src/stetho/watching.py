"""The Python door: `stetho.watch(model, optimizer)` and `stetho.log(...)`."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from stetho.callbacks import Callback
from stetho.capture.launch import ending_of
from stetho.capture.own_witness import OwnWitness
from stetho.config import Options, make_options
from stetho.errors import StethoError, UsageError, kind_of
from stetho.judging import LiveJudge
from stetho.records import Ending, Status
from stetho.session import Session, active
from stetho.views.console import speak

_registered: list[Callback] = []


class Watch:
    """A watch that is on; `stop()` or the end of the `with` block ends it."""

    def __init__(self, session: Session | None, *, owns: bool) -> None:
        self._session = session
        self._owns = owns
        self._path: Path | None = None

    @property
    def path(self) -> Path | None:
        """Folder of the run; None as long as nothing was recorded."""
        return self._session.path if self._session is not None and self._session.path is not None else self._path

    @property
    def status(self) -> Status | None:
        """Step, loss, speed and our overhead so far."""
        return self._session.status() if self._session is not None else None

    def __repr__(self) -> str:
        return f"<stetho.Watch: {self.path or 'nothing recorded yet'}>"

    def log(self, **values: float) -> None:
        """Record metrics of your own at the current step."""
        if self._session is not None:
            self._session.log(values)

    def stop(self) -> None:
        """End the watch: every hook is taken away and the run is closed."""
        self._stop(Ending("finished"))

    def __enter__(self) -> Watch:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._stop(Ending("finished") if error is None else ending_of(error))

    def _stop(self, ending: Ending) -> None:
        session, self._session = self._session, None
        if session is None:
            return
        if self._owns:
            session.stop(ending)
        self._path = session.path
        if self._owns and self._path is not None and os.environ.get("RANK", "0") == "0":
            _tell_diagnosis(self._path, session.options)


class _Stderr:
    def say(self, line: str) -> None:
        speak(line)


def _tell_diagnosis(path: Path, options: Options) -> None:
    """Print what is wrong, if anything is; whatever happens here, the program goes on."""
    from stetho.judging import judge_finished
    from stetho.views.diagnosis import print_diagnosis

    before = random.getstate()
    try:
        verdict = judge_finished(path, options)
        if not options.quiet and any(finding.is_alarm for finding in verdict.findings):
            print_diagnosis(verdict, sys.stderr)
    except StethoError as error:
        _Stderr().say(f"no diagnosis: {error}")
    except Exception as error:
        _Stderr().say(f"no diagnosis ({type(error).__name__}: {error}); the run: {path}")
    finally:
        # rich draws random numbers, and the program goes on.
        random.setstate(before)


def watch(
    model: Any = None,
    optimizer: Any = None,
    *,
    callbacks: Callback | Iterable[Callback] = (),
    **options: Any,
) -> Watch:
    """Watch a training from now on, until the `with` block ends or `stop()` is called.

    `optimizer` is one optimizer or several; without it they are found when they step. Options as in `stetho run`.
    When it ends, the run is judged, and what is wrong is printed on stderr. In a program that runs under `stetho run`,
    and with STETHO=0 in the environment, the call changes nothing.

    >>> import torch, tempfile
    >>> model = torch.nn.Linear(2, 1)
    >>> optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    >>> with watch(model, optimizer, out=tempfile.mkdtemp()) as watching:
    ...     for _ in range(3):
    ...         optimizer.zero_grad()
    ...         model(torch.ones(4, 2)).mean().backward()
    ...         optimizer.step()
    ...     watching.status.step
    3
    """
    chosen = make_options(**options)
    _check_model(model)
    optimizers, called = _optimizers(optimizer), _callbacks(callbacks)
    if os.environ.get("STETHO") == "0":
        return Watch(None, owns=False)
    running = active()
    if running is not None and running.is_program:
        running.adopt(model, optimizers)
        running.callbacks.add(called)
        return Watch(running, owns=False)
    if running is not None:
        # In a notebook a cell is run again without a stop in between.
        running.stop(Ending("finished"))
    voice = _Stderr()
    judge, witness = LiveJudge(chosen, voice), OwnWitness()
    session = Session(chosen, command=_command(), voice=voice, judge=judge, witness=witness, is_program=False)
    session.callbacks.add(called)
    session.callbacks.add(_registered)
    session.start()
    session.adopt(model, optimizers)
    return Watch(session, owns=True)


def log(**values: float) -> None:
    """Record metrics of your own at the current step; does nothing when no watch is on.

    >>> log(accuracy=0.9)
    """
    session = active()
    if session is not None:
        session.log(values)


def add_callback(callback: Callback) -> None:
    """Have a callback called in the watch that is on and in all that come.

    >>> add_callback(Callback())
    """
    if not isinstance(callback, Callback):
        raise UsageError(f"`callback` is {kind_of(callback)}; give an instance of stetho.Callback")
    _registered.append(callback)
    session = active()
    if session is not None:
        session.callbacks.add(callback)


def _check_model(model: Any) -> None:
    if model is not None and not hasattr(model, "named_modules"):
        raise UsageError(f"`model` is {kind_of(model)}, which has no layers; give a torch.nn.Module")


def _optimizers(given: Any) -> list[Any]:
    several = list(given) if isinstance(given, (tuple, list)) else [] if given is None else [given]
    for one in several:
        if not hasattr(one, "param_groups"):
            kind = type(one).__name__
            raise UsageError(f"`optimizer` is a {kind}, which has no parameters; give a torch.optim.Optimizer")
    return several


def _callbacks(given: Any) -> list[Callback]:
    several = [given] if isinstance(given, Callback) or not isinstance(given, Iterable) else list(given)
    for one in several:
        if not isinstance(one, Callback):
            raise UsageError(f"`callbacks` has {kind_of(one)}; give instances of stetho.Callback")
    return several


def _command() -> list[str]:
    return [sys.argv[0] or "python", *sys.argv[1:]] if sys.argv else ["python"]
