"""The budget, on simulated runs: our share of the time is held, and it is used."""

import random
from collections import Counter
from itertools import groupby

import pytest

from stetho.capture.budget import AWAKE_STEPS, DENSE_AFTER_EVENT, FIRST_STEPS, LONGEST_SAVING, MOST_BEGINNINGS, Budget

SHARE = 0.05


def budget(share=SHARE, every=None, grace_steps=0, grace_seconds=0.0):
    return Budget(share=share, every=every, grace_steps=grace_steps, grace_seconds=grace_seconds)


def simulate(budget, steps, *, work, full, cheap=0.0, clock=0.0, jitter=0.0, event=lambda _: False, first=1, held=1):
    """Run steps that take `work` seconds and cost us as much as their tier says; gives the tiers and our share.

    Others hold the processor, so that all takes so many times as long.
    """
    cost, noise = {"full": full, "cheap": cheap, "clock": clock, "asleep": 0.0}, random.Random(0)
    tiers, ours_in_all, work_in_all = [], 0.0, 0.0
    for step in range(first, first + steps):
        if event(step):
            budget.event()
        tier = budget.choose(step)
        took = work * noise.uniform(1 - jitter, 1 + jitter)
        ours = cost[tier] * noise.uniform(1 - jitter, 1 + jitter)
        budget.spent(tier, ours=held * ours, wall=held * (took + ours))
        budget.worked += ours
        tiers.append(tier)
        ours_in_all += ours
        work_in_all += took
    return tiers, ours_in_all / work_in_all


PROGRAMS = {
    "everything fits": {"work": 1.0, "full": 0.01, "cheap": 0.001, "clock": 0.0001},
    "full now and then": {"work": 0.1, "full": 0.05, "cheap": 0.0005, "clock": 0.0001},
    "full is dear": {"work": 0.001, "full": 0.1, "cheap": 1e-5, "clock": 5e-6},
    "cheap does not fit always": {"work": 0.0005, "full": 0.0015, "cheap": 5e-5, "clock": 1e-5},
    "clock takes nearly all": {"work": 0.001, "full": 0.002, "cheap": 2e-4, "clock": 4.5e-5},
}


@pytest.mark.parametrize("jitter", [0.0, 0.5])
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_share_is_held_and_used_in_a_long_run(program, jitter):
    tiers, share = simulate(budget(), 20_000, **PROGRAMS[program], jitter=jitter)
    assert share <= SHARE * 1.05
    assert tiers.count("full") > 3


@pytest.mark.parametrize("program", ["full now and then", "full is dear"])
def test_what_is_allowed_for_full_steps_is_spent_on_them(program):
    _, share = simulate(budget(), 50_000, **PROGRAMS[program])
    assert share > SHARE * 0.5


def test_everything_is_measured_where_it_fits():
    tiers, _ = simulate(budget(), 1000, **PROGRAMS["everything fits"])
    assert tiers.count("full") > 990


def test_steps_are_slept_through_where_even_the_clock_is_too_much():
    tiers, share = simulate(budget(), 20_000, work=0.001, full=0.01, cheap=0.001, clock=1e-4)
    assert share <= SHARE * 1.05
    seen = Counter(tiers)
    assert seen["asleep"] > 10_000
    assert seen["clock"] > 1000
    assert seen["full"] > 3


def test_awake_we_see_steps_that_follow_each_other():
    tiers, _ = simulate(budget(), 20_000, work=0.001, full=0.01, cheap=0.001, clock=1e-4)
    awake = [len(list(group)) for asleep, group in groupby(tiers, lambda tier: tier == "asleep") if not asleep]
    assert min(awake[1:-1]) >= AWAKE_STEPS / 2


def test_nobody_sleeps_who_may_not():
    one = budget()
    one.may_sleep = False
    tiers, _ = simulate(one, 2000, work=0.001, full=0.01, cheap=0.001, clock=1e-4)
    assert "asleep" not in tiers


@pytest.mark.parametrize("share", [0.005, 0.05, 0.5])
def test_the_share_is_the_one_that_was_asked_for(share):
    _, used = simulate(budget(share), 50_000, work=0.01, full=0.02, cheap=1e-5, clock=5e-6)
    assert 0.5 * share < used <= 1.05 * share


def test_a_program_that_becomes_faster_is_still_held():
    one = budget()
    simulate(one, 2000, work=0.1, full=0.05, cheap=0.001, clock=1e-4)
    _, share = simulate(one, 20_000, work=0.01, full=0.05, cheap=0.001, clock=1e-4, first=2001)
    assert share <= SHARE * 1.05


def test_a_quiet_hour_does_not_become_a_burst():
    one = budget()
    simulate(one, 100, work=0.01, full=0.01, cheap=1e-5, clock=1e-6)
    one.spent("clock", ours=0.0, wall=3600.0)
    tiers, _ = simulate(one, 20, work=0.01, full=0.01, cheap=1e-5, clock=1e-6, first=101)
    assert tiers.count("full") <= LONGEST_SAVING + 1


def test_the_first_steps_are_outside_of_the_budget():
    tiers, _ = simulate(budget(grace_steps=100), 300, work=0.001, full=0.1, cheap=1e-5, clock=1e-6)
    assert set(tiers[:100]) == {"full"}
    assert tiers[100:].count("full") < 5


def test_the_first_seconds_of_ours_are_outside_of_the_budget():
    tiers, _ = simulate(budget(grace_seconds=5.0), 300, work=0.001, full=0.1, cheap=1e-5, clock=1e-6)
    assert set(tiers[:50]) == {"full"}
    assert tiers[51:].count("full") < 5


@pytest.mark.parametrize("held", [1, 2, 2.9])
def test_what_others_hold_of_the_processor_does_not_shorten_the_free_seconds(held):
    tiers, _ = simulate(budget(grace_seconds=5.0), 300, work=0.001, full=0.1, cheap=1e-5, clock=1e-6, held=held)
    assert tiers.count("full") - 50 in range(5)


def test_the_free_seconds_do_not_last_for_ever_where_we_wait():
    tiers, _ = simulate(budget(grace_seconds=5.0), 300, work=0.001, full=0.1, cheap=1e-5, clock=1e-6, held=100)
    assert tiers.count("full") < 10


def test_the_costs_of_the_grace_are_not_paid_back_later():
    tiers, _ = simulate(budget(grace_steps=100), 1000, work=1.0, full=0.1, cheap=1e-5, clock=1e-6)
    assert "full" in tiers[100:110]


@pytest.mark.parametrize("every", [1, 2, 7])
def test_every_so_many_steps_are_full_whatever_they_cost(every):
    tiers, _ = simulate(budget(every=every, grace_steps=100), 50, work=0.001, full=10.0, cheap=1.0)
    assert [step for step, tier in enumerate(tiers, 1) if tier == "full"] == list(range(1, 51, every))
    assert set(tiers) <= {"full", "cheap"}


def test_steps_after_an_event_are_full():
    one = budget()
    simulate(one, 1000, work=0.01, full=0.1, cheap=1e-5, clock=1e-6)
    before, _ = simulate(one, 1, work=0.01, full=0.1, first=1001)
    assert before == ["cheap"]
    one.event()
    after, _ = simulate(one, 5, work=0.01, full=0.1, cheap=1e-5, first=1002)
    assert after[:DENSE_AFTER_EVENT] == ["full"] * DENSE_AFTER_EVENT
    assert after[DENSE_AFTER_EVENT:] == ["cheap"] * 2


def test_events_without_end_do_not_break_the_budget():
    """A loss that stays NaN is an event at every step."""
    tiers, share = simulate(budget(), 50_000, work=0.01, full=0.05, cheap=1e-5, clock=1e-6, event=lambda _: True)
    assert share <= SHARE * 1.05
    assert tiers.count("full") > 100


def test_work_between_the_steps_is_paid_for():
    one, other = budget(), budget()
    plain, _ = simulate(one, 1000, work=0.1, full=0.02, cheap=1e-4, clock=1e-5)
    other.charge(1.0)
    charged, _ = simulate(other, 1000, work=0.1, full=0.02, cheap=1e-4, clock=1e-5)
    assert charged.count("full") == pytest.approx(plain.count("full") - 1.0 / 0.02, abs=5)


def test_the_first_steps_of_a_model_that_is_trained_later_are_free():
    later = budget(grace_steps=100)
    simulate(later, 1000, work=0.001, full=0.1, cheap=0.01, clock=0.001)
    assert not later.is_free(1001)
    later.begin_anew(1001)
    tiers, _ = simulate(later, 1000, work=0.001, full=0.1, cheap=0.01, clock=0.001, first=1001)
    assert tiers[: FIRST_STEPS + 1] == ["full"] * (FIRST_STEPS + 1)
    assert "full" not in tiers[FIRST_STEPS + 1 : 500]


def test_a_model_in_every_step_is_not_free_for_ever():
    busy = budget(grace_steps=100)
    for step in range(1, 200 + MOST_BEGINNINGS):
        busy.begin_anew(step)
    assert not busy.is_free(100 + FIRST_STEPS + MOST_BEGINNINGS + 1)


def test_without_free_steps_no_beginning_has_any():
    strict = budget(grace_steps=0)
    strict.begin_anew(5)
    assert not strict.is_free(6)
