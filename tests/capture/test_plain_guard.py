"""The guard of machines without a compiler does what the native one does: the same tests, with that one hidden."""

import importlib.util
import sys

import pytest

from stetho.capture import guard as module
from stetho.capture import plain_guard
from tests.capture import test_guard
from tests.capture.test_guard import *  # noqa: F403


@pytest.fixture
def guard(problems, monkeypatch):
    monkeypatch.setitem(sys.modules, "stetho.capture._guard", None)
    spec = importlib.util.spec_from_file_location("guard_without_native", module.__file__)
    fresh = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fresh)
    assert fresh.Guarded is plain_guard.Guarded
    monkeypatch.setattr(test_guard, "fault_at", fresh.fault_at)
    return fresh.Guard(problems)


def test_room_that_cannot_be_taken_back_at_the_very_limit_is_taken_back_later(guard, monkeypatch):
    limit, calls = sys.getrecursionlimit(), []

    def refusing_once(wanted):
        calls.append(wanted)
        if len(calls) == 2:
            raise RecursionError("the limit is too low")
        sys.setrecursionlimit(wanted)

    monkeypatch.setattr(plain_guard, "setrecursionlimit", refusing_once)
    look = guard.wrap("looking", lambda: "done")
    assert look() == "done"
    assert sys.getrecursionlimit() > limit
    assert look() == "done"
    assert sys.getrecursionlimit() == limit
