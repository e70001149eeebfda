"""Which updates end a step."""

from stetho.profiling.units import BACKWARDS_WITHOUT_UPDATE, PATIENCE, Units


def after_warm_up(units: Units, updates: str) -> list[bool]:
    units.expected = len(set(updates))
    ended = [units.updated(name) for name in updates]
    return ended[len(updates) // 2 :]


def test_every_update_of_a_single_optimizer_ends_a_step() -> None:
    assert after_warm_up(Units(warmup=2), "aaaaaa") == [True] * 3


def test_two_optimizers_that_step_together_make_one_step() -> None:
    assert after_warm_up(Units(warmup=2), "abababababab") == [False, True] * 3


def test_an_optimizer_that_is_given_up_is_not_waited_for() -> None:
    units = Units(warmup=1)
    after_warm_up(units, "ababab")
    assert units.is_settled
    assert any(units.updated("a") for _ in range(PATIENCE + 2))


def test_without_optimizer_a_step_ends_with_its_backward_pass() -> None:
    units = Units(warmup=1)
    ended = [units.went_back() for _ in range(BACKWARDS_WITHOUT_UPDATE + 1)]
    assert ended[-2:] == [True, True]
    assert not ended[0]
    assert units.is_by_hand


def test_accumulated_backward_passes_are_no_steps() -> None:
    units = Units(warmup=1)
    units.updated("a")
    assert not any(units.went_back() for _ in range(2 * BACKWARDS_WITHOUT_UPDATE))


def test_an_optimizer_that_comes_late_is_waited_for() -> None:
    assert after_warm_up(Units(warmup=1), "ddddgddddgddddgddddg")[-5:] == [False, False, False, False, True]


def test_one_that_was_made_and_never_steps_is_not_waited_for_longer() -> None:
    units = Units(warmup=1)
    units.expected = 2
    assert [units.updated("a") for _ in range(PATIENCE + 3)] == [True] * (PATIENCE + 3)
    assert units.is_settled
