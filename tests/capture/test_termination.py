"""SIGTERM is taken only where nobody else has it, and given back. How a process dies of it: see test_launch."""

import signal
import threading
from collections.abc import Iterator

import pytest

from stetho.capture.termination import Termination
from stetho.records import Ending


@pytest.fixture(autouse=True)
def default_signal() -> Iterator[None]:
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGTERM, before)


def ignore(_ending: Ending) -> None:
    pass


def test_takes_the_signal_and_gives_it_back() -> None:
    termination = Termination(ignore)
    termination.watch()
    assert signal.getsignal(signal.SIGTERM) is termination
    termination.forget()
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


@pytest.mark.parametrize("owner", [signal.SIG_IGN, lambda *_: None])
def test_leaves_a_signal_that_somebody_has(owner: signal.Handlers) -> None:
    signal.signal(signal.SIGTERM, owner)
    Termination(ignore).watch()
    assert signal.getsignal(signal.SIGTERM) is owner


def test_leaves_a_handler_that_came_later() -> None:
    termination = Termination(ignore)
    termination.watch()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    termination.forget()
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_IGN


def test_does_nothing_outside_the_main_thread() -> None:
    thread = threading.Thread(target=Termination(ignore).watch)
    thread.start()
    thread.join()
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def test_leaves_the_signal_in_a_distributed_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    Termination(ignore).watch()
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
