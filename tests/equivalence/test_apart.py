"""What is done in a process of its own."""

import os
import signal

import pytest

from stetho.equivalence.apart import DiedApart, apart
from stetho.errors import UsageError


def complain() -> None:
    raise UsageError("not so")


def die() -> None:
    os.kill(os.getpid(), signal.SIGILL)


def test_errors_come_back_as_they_are() -> None:
    with pytest.raises(UsageError, match="not so"):
        apart(complain, name="it")


def test_a_death_is_told_with_the_next_move() -> None:
    with pytest.raises(DiedApart, match=r"`it` was not done: .*illegal instruction \(SIGILL\).*ONEDNN_MAX_CPU_ISA"):
        apart(die, name="it")
