"""Settings that are tried on the program's own loop."""

from collections.abc import Sequence
from itertools import zip_longest
from unittest.mock import Mock

import pytest

from stetho.capture.guard import Guard
from stetho.profiling.clock import StepTime
from stetho.profiling.torch import trials as module
from stetho.profiling.torch.changes import Change
from stetho.profiling.torch.loop import Loop
from stetho.profiling.torch.trials import Trials
from stetho.profiling.units import Units


def steps(*seconds: float, data: float = 0.0, samples: Sequence[int] = ()) -> list[StepTime]:
    return [
        StepTime(wall, wall, data, 0.0, 0, samples=count)
        for wall, count in zip_longest(seconds, samples[: len(seconds)], fillvalue=0)
    ]


@pytest.fixture
def loop(guard: Guard) -> Loop:
    return Loop(guard, Units(0))


@pytest.fixture
def changes(monkeypatch: pytest.MonkeyPatch) -> Mock:
    made = Mock(side_effect=lambda *_, **__: [Change("as it is"), Change("faster", settling=1), Change("last")])
    monkeypatch.setattr(module, "proposals", made)
    return made


def test_the_speed_is_that_of_the_steps_after_the_first(loop: Loop, changes: Mock) -> None:
    trials = Trials(loop, seconds=60.0, steps=3)
    assert len(trials.plan(steps(0.1, 0.1), "cpu", None)) == 3
    trials.begin()
    trials.end(steps(9.0, 9.0, 0.1, 0.1))
    assert (trials.next_setting, trials.is_on) == ("faster", False)
    trials.begin()
    trials.end(steps(9.0, 0.05, 0.05, samples=(8, 8, 8)))
    assert [(trial.setting, trial.steps_per_second, trial.samples_per_second) for trial in trials.found] == [
        ("as it is", pytest.approx(10.0), None),
        ("faster", pytest.approx(20.0), pytest.approx(160.0)),
    ]
    assert not changes.call_args.kwargs["input_first"]


@pytest.mark.usefixtures("changes")
def test_a_short_last_batch_counts_for_what_it_has(loop: Loop) -> None:
    trials = Trials(loop, seconds=60.0, steps=4)
    trials.plan(steps(0.1, 0.1), "cpu", None)
    trials.begin()
    trials.end(steps(9.0, 9.0, 0.1, 0.1, 0.05, samples=(64, 64, 64, 64, 2)))
    assert trials.found[0].samples_per_second == pytest.approx(130 / 0.25)


@pytest.mark.usefixtures("changes")
def test_a_program_that_ends_in_a_trial_leaves_it_and_the_rest_untried(loop: Loop) -> None:
    trials = Trials(loop, seconds=60.0, steps=3)
    trials.plan(steps(0.1, 0.1), "cpu", None)
    trials.begin()
    trials.end(steps(0.1, 0.1))
    assert trials.found == []
    assert trials.left == ["as it is", "faster", "last"]


def test_slow_steps_leave_time_for_few(loop: Loop, changes: Mock) -> None:
    trials = Trials(loop, seconds=10.0, steps=3)
    planned = trials.plan(steps(5.0, data=4.0), "cpu", None)
    assert [stage.seconds for stage in planned] == [pytest.approx(10 * 5 / 9), pytest.approx(10 * 4 / 9)]
    assert changes.call_args.kwargs["input_first"]
    assert [(trial.setting, trial.steps) for trial in trials.late] == [("last", 0)]


@pytest.mark.usefixtures("changes")
def test_what_there_is_no_time_for_is_told_and_not_announced(loop: Loop) -> None:
    trials = Trials(loop, seconds=1e-9, steps=3)
    trials.plan(steps(0.1), "cpu", None)
    assert trials.next_setting == ""
    assert not trials.begin()
    assert [trial.setting for trial in trials.late] == ["as it is", "faster", "last"]
    assert all("not tried" in (trial.problem or "") for trial in trials.late)


@pytest.mark.usefixtures("changes")
def test_one_step_of_a_change_tells_nothing_of_it(loop: Loop) -> None:
    trials = Trials(loop, seconds=60.0, steps=3)
    trials.plan(steps(0.1), "cpu", None)
    for seconds in ((0.1, 0.1, 0.1), (0.1, 0.1, 0.1), (0.1, 0.1, 0.001)):
        trials.begin()
        trials.end(steps(*seconds))
    assert [(trial.setting, trial.steps, trial.problem is None) for trial in trials.found] == [
        ("as it is", 1, True),
        ("faster", 2, True),
        ("last", 1, False),
    ]


def test_nothing_is_tried_without_time_or_after_it_was_called_off(loop: Loop, changes: Mock) -> None:
    never = Trials(loop, seconds=0.0, steps=3)
    assert never.plan(steps(1.0), "cpu", None) == []
    assert not never.is_missing
    trials = Trials(loop, seconds=10.0, steps=3)
    assert trials.is_missing
    trials.plan(steps(0.1), "cpu", None)
    assert not trials.is_missing
    trials.cancel()
    assert not trials.begin()
    assert trials.left == ["as it is", "faster", "last"]
    assert changes.call_count == 1


def test_an_error_is_told_of_the_change_that_was_tried(loop: Loop, changes: Mock) -> None:
    trials = Trials(loop, seconds=60.0, steps=3)
    trials.failed(ValueError("of the program itself"))
    assert trials.found == []
    trials.plan(steps(0.1), "cpu", None)
    trials.begin()
    trials.failed(RuntimeError("too large\nmore"))
    assert [(trial.setting, trial.problem) for trial in trials.found] == [("as it is", "RuntimeError: too large")]
    assert changes.called


def test_a_change_that_cannot_be_made_is_told_and_passed_over(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    def cannot(_: object) -> None:
        raise ValueError("no such thing")

    monkeypatch.setattr(module, "proposals", lambda *_, **__: [Change("odd", cannot), Change("next")])
    trials = Trials(loop, seconds=60.0, steps=3)
    trials.plan(steps(0.1), "cpu", None)
    assert trials.begin()
    assert (trials.is_on, trials.found[0].problem) == (False, "ValueError: no such thing")
