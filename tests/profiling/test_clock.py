"""Steps from outside: which of them are ordinary, and how long they wait."""

import pytest

from stetho.profiling import clock as clock_module
from stetho.profiling.clock import Clock, StepTime, usual, waiting


def test_a_step_that_begins_a_loader_is_no_ordinary_one() -> None:
    assert usual([StepTime(1, 1, 0, 0, 0, is_unusual=True), StepTime(1, 1, 0, 0, 0)]) == [False, True]


def test_if_no_step_is_ordinary_all_are() -> None:
    assert usual([StepTime(1, 1, 0, 0, 0, is_unusual=True)]) == [True]


def test_waiting_leaves_out_waiting_for_data() -> None:
    assert waiting([StepTime(wall=10, processor=4, data=5, data_processor=1, pauses=3)] * 3) == 2


def test_a_process_that_is_only_pushed_aside_by_others_does_not_wait() -> None:
    assert waiting([StepTime(wall=10, processor=4, data=0, data_processor=0, pauses=0)] * 3) == 0
    assert waiting([]) == 0


def test_the_clock_measures_from_begin_to_end() -> None:
    clock = Clock()
    clock.begin()
    time = clock.end(0.5, 0.1, is_unusual=True)
    assert time.wall >= 0
    assert (time.data, time.data_processor, time.is_unusual) == (0.5, 0.1, True)


def test_time_of_ours_is_no_time_of_the_step() -> None:
    ours = iter([0.0, 10.0, 30.0])
    clock = Clock(lambda: next(ours))
    clock.begin()
    assert clock.end(0.0, 0.0, is_unusual=False).wall < -19


def test_pauses_of_short_steps_are_averaged_over_some(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds, pauses = iter(range(100)), iter((0, 10, 40))
    monkeypatch.setattr(clock_module, "SECONDS_BETWEEN_LOOKS", 8)
    monkeypatch.setattr(clock_module, "perf_counter", lambda: next(seconds))
    monkeypatch.setattr(clock_module, "_pauses", lambda: next(pauses))
    clock = Clock()
    found = []
    for _ in range(2):
        clock.begin()
        found.append(clock.end(0.0, 0.0, is_unusual=False).pauses)
    assert found == [0, 5]
