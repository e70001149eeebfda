"""The clock: what the row of a step says, and when it asks for a closer look."""

from math import inf, nan

import pytest

from stetho.capture import step as step_module
from stetho.capture.budget import Budget
from stetho.capture.guard import Guard
from stetho.capture.step import LONGEST_ORDER, UNSEEN_SECONDS, Clock


class Recorder:
    """Keeps rows in a list."""

    def __init__(self):
        self.rows = []
        self.settled = 0

    def clock(self):
        return 7.0

    def row(self, table, row):
        assert table == "steps"
        self.rows.append(row)

    def settle(self):
        self.settled += 1


class Watched(Budget):
    """A budget that remembers what it was told."""

    def __init__(self):
        super().__init__(share=0.05, every=1, grace_steps=0, grace_seconds=0.0)
        self.events = 0
        self.told = []

    def event(self):
        self.events += 1

    def spent(self, tier, *, ours, wall):
        self.told.append((tier, ours, wall))

    def charge(self, ours):
        self.told.append(ours)


@pytest.fixture(autouse=True)
def now(monkeypatch):
    """Time that passes only when told to."""
    time = [50.0]
    monkeypatch.setattr(step_module, "perf_counter", lambda: time[0])
    return time


@pytest.fixture
def guard():
    return Guard(lambda *_: None)


@pytest.fixture
def clock(guard):
    return Clock(Watched(), guard, Recorder())


def end(clock, *losses, **facts):
    clock.step.losses.extend(losses)
    clock.step.facts |= facts
    return clock.end(None, [])


def test_steps_are_counted_from_one(clock):
    assert (clock.step.number, clock.done) == (1, 0)
    assert [end(clock)["step"] for _ in range(3)] == [1, 2, 3]
    assert (clock.step.number, clock.done) == (4, 3)


def test_a_row_says_what_happened(clock, now, guard):
    step = clock.step
    for event in ("zero_grad", "forward", "backward", "step"):
        step.event(event)
    step.forward_seconds += 0.75
    step.data_seconds += 1.0
    step.forwards, step.backwards, step.batch_size = 2, 1, 32
    now[0] += 4.0
    guard.seconds += 0.125
    step.facts["grad_norm"] = 3.0
    step.losses.append(0.5)
    row = clock.end(2, [0.1, 0.01])
    assert row == clock._recorder.rows[0]
    assert row["order"] == "zero_grad forward backward step"
    assert (row["forward_seconds"], row["data_seconds"], row["backward_seconds"]) == (0.75, 1.0, 0.0)
    assert (row["seconds"], row["ours_seconds"], row["time"]) == (4.0, 0.125, 7.0)
    assert (row["forwards"], row["backwards"], row["batch_size"]) == (2, 1, 32)
    assert (row["loss"], row["lr"], row["lrs"], row["epoch"]) == (0.5, 0.1, [0.1, 0.01], 2)
    assert (row["tier"], row["grad_norm"], row["skipped"]) == ("full", 3.0, False)


def test_facts_win_over_defaults(clock):
    assert end(clock, skipped=True)["skipped"] is True


def test_nothing_of_a_step_is_carried_into_the_next(clock, now, guard):
    clock.step.event("backward")
    clock.step.backward_seconds += 1.0
    guard.seconds += 1.0
    now[0] += 5.0
    end(clock, 1.0, accuracy=0.5)
    now[0] += 2.0
    row = end(clock)
    assert (row["loss"], row["order"], row["backward_seconds"], row["ours_seconds"]) == (None, "", 0.0, 0.0)
    assert row["seconds"] == 2.0
    assert "accuracy" not in row


def test_the_order_of_a_long_step_keeps_how_it_began_and_how_it_ended(clock):
    for event in ("zero_grad", *["forward"] * 500, "backward", "step"):
        clock.step.event(event)
    order = end(clock)["order"].split()
    assert len(order) == LONGEST_ORDER
    assert (order[:2], order[-3:]) == (["zero_grad", "forward"], ["forward", "backward", "step"])


def test_accumulated_losses_are_averaged(clock):
    assert end(clock, 1.0, 2.0, 6.0)["loss"] == 3.0


def test_of_a_closure_the_first_loss_counts(clock):
    clock.step.in_closure = True
    assert end(clock, 4.0, 2.0, 1.0)["loss"] == 4.0


def test_a_step_without_a_loss_has_none(clock):
    assert end(clock)["loss"] is None
    assert clock.last_loss is None


def test_the_budget_hears_of_the_step_and_of_evaluations_apart(clock, now, guard):
    clock.step.other_ours = 0.25
    guard.seconds += 1.0
    now[0] += 10.0
    end(clock)
    assert clock._budget.told == [("full", 0.75 + UNSEEN_SECONDS, 10.0), 0.25]


def test_work_of_ours_at_the_end_of_a_step_is_booked_on_that_step(clock, now, guard):
    guard.clock = lambda: now[0]

    def end_of_step():
        now[0] += 3.0
        end(clock)
        now[0] += 1.0

    guard.wrap("step end", end_of_step)()
    end(clock)
    assert [row["ours_seconds"] for row in clock._recorder.rows] == [3.0, 1.0]
    assert [row["seconds"] for row in clock._recorder.rows] == [3.0, 1.0]


def test_tiers_are_counted_and_waiting_numbers_fetched(clock):
    end(clock)
    clock.step.tier = "clock"
    end(clock)
    clock.step.tier = "cheap"
    end(clock)
    assert clock.tiers == {"full": 1, "cheap": 1, "clock": 1, "asleep": 0}
    assert clock._recorder.settled == 2


def test_listeners_hear_of_the_row_when_the_next_step_has_begun(clock):
    heard = []
    clock.on_end.append(lambda row: heard.append((row["step"], clock.done)))
    end(clock)
    end(clock)
    assert heard == [(1, 1), (2, 2)]


def test_the_status_line_has_its_numbers(clock, now, guard):
    now[0] += 0.5
    end(clock, 2.5)
    now[0] += 0.5
    guard.seconds = 0.1
    status = clock.status()
    assert (status.step, status.loss, status.steps_per_second, status.tier) == (1, 2.5, 2.0, "full")
    assert status.overhead == pytest.approx(0.1)


def test_a_step_that_took_no_time_at_all_is_a_step(clock):
    end(clock, 1.0)
    end(clock, 1.0)
    assert clock.status().steps_per_second > 0


@pytest.mark.parametrize("loss", [nan, inf, -inf])
def test_a_loss_that_is_not_finite_is_an_event(clock, loss):
    end(clock, loss)
    assert clock._budget.events == 1
    assert clock._mean == 0.0


def test_a_spike_is_an_event_and_noise_is_not(clock):
    for number in range(100):
        end(clock, 1.0 + 0.1 * (number % 3))
    assert clock._budget.events == 0
    end(clock, 5.0)
    assert clock._budget.events == 1


def test_a_steady_fall_is_no_event(clock):
    for number in range(200):
        end(clock, 10.0 * 0.98**number)
    assert clock._budget.events == 0


def test_the_first_losses_tell_nothing_yet(clock):
    end(clock, 0.1)
    end(clock, 100.0)
    assert clock._budget.events == 0


def test_a_loss_that_still_lies_on_a_device_is_left_alone(clock):
    class OnDevice:
        def __add__(self, other):
            raise AssertionError("must not be touched")

    loss = OnDevice()
    assert end(clock, loss)["loss"] is loss
    assert clock.last_loss is None


def test_free_steps_are_looked_at_closely_and_of_short_ones_after_them_every_twentieth(guard, now):
    budget = Budget(share=0.05, every=1, grace_steps=3, grace_seconds=0.0)
    clock = Clock(budget, guard, Recorder())
    close = []
    for _ in range(45):
        close.append(clock.step.close)
        now[0] += 0.001
        end(clock)
    assert [number for number, is_close in enumerate(close, start=1) if is_close] == [1, 2, 3, 21, 41]


def test_after_many_full_steps_they_are_looked_at_closely_ever_more_rarely(guard, now):
    clock = Clock(Budget(share=0.05, every=1, grace_steps=0, grace_seconds=0.0), guard, Recorder())
    close = []
    for number in range(1, 702):
        if clock.step.close:
            close.append(number)
        now[0] += 0.001
        end(clock)
    assert close[-6:] == [361, 381, 401, 501, 601, 701]


def test_slow_steps_are_all_looked_at_closely(guard, now):
    clock = Clock(Budget(share=0.05, every=2, grace_steps=0, grace_seconds=0.0), guard, Recorder())
    close = []
    for _ in range(6):
        close.append(clock.step.close)
        now[0] += 0.1
        end(clock)
    assert close == [True, False, True, False, True, False]


def test_another_training_is_looked_at_closely_and_ends_a_sleep(guard):
    clock = Clock(Budget(share=0.05, every=1, grace_steps=3, grace_seconds=0.0), guard, Recorder())
    clock.begin_anew()
    assert not clock._budget.is_free(4)
    for _ in range(10):
        end(clock)
    guard.asleep = True
    clock.begin_anew()
    assert not guard.asleep
    assert clock.step.partial
    end(clock)
    assert clock.step.close
    assert clock._budget.is_free(clock.step.number)


def test_a_sleep_says_whether_it_goes_on_for_sure(guard, now):
    clock = Clock(Watched(), guard, Recorder())
    clock._budget.wake_after = 1.0
    now[0] += 0.5
    assert clock.sleep_on()
    now[0] += 0.6
    assert not clock.sleep_on()
    assert (clock.done, clock.tiers["asleep"]) == (2, 2)


def test_processor_time_is_counted_and_told_while_seconds_are_free(guard):
    clock = Clock(Budget(share=0.05, every=1, grace_steps=0, grace_seconds=5.0), guard, Recorder())
    assert guard.processor is not None
    guard.worked = 4.0
    end(clock)
    assert guard.processor is not None
    guard.worked = 6.0
    end(clock)
    assert guard.processor is None, "all free seconds are worked off"
