"""The stages of a profile."""

from stetho.profiling.plan import LEAST_STEPS, Plan, Stage, stages


def test_a_slow_stage_ends_with_its_time_but_not_before_a_few_steps() -> None:
    plan = Plan([Stage("bare", 100, seconds=1.0), Stage("lines", 1)])
    ended = [plan.step_done(now=10.0 * step) for step in range(LEAST_STEPS)]
    assert ended == [False] * (LEAST_STEPS - 1) + [True]
    assert plan.stage == Stage("lines", 1)


def test_a_stage_can_be_shortened_and_others_added() -> None:
    plan = Plan([Stage("operations", 100)])
    plan.shorten(4)
    plan.append([Stage("trial", 2)])
    assert [plan.step_done(0.0) for _ in range(4)] == [False, False, False, True]
    assert plan.stage == Stage("trial", 2)


def test_nothing_is_counted_when_all_is_over() -> None:
    plan = Plan([Stage("warm", 1)])
    plan.drop()
    assert (plan.step_done(0.0), plan.stage) == (False, None)


def test_processes_that_train_together_end_no_stage_by_the_clock() -> None:
    together = stages(steps=10, alone=False)
    assert {stage.seconds for stage in together} == {float("inf")}
    assert max(stage.steps for stage in together) == 10
    assert [stage.name for stage in together] == [stage.name for stage in stages(steps=10)]
