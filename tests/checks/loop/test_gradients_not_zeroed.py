import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.gradients_not_zeroed import gradients_not_zeroed
from stetho.checks.run.facts import Model, Optimizer
from stetho.testing import make_window


def test_finds_gradients_that_are_still_there():
    found = gradients_not_zeroed(make_window(order="forward backward step", step={"stale_grad": 1.0}))
    assert (found.severity, found.evidence["stale_share"], found.where.line) == ("error", 1.0, 32)


def test_the_first_steps_cannot_show_it():
    assert gradients_not_zeroed(make_window(step={"stale_grad": [None, 0.0, *[1.0] * 58]})) is not None


def test_stays_quiet_when_they_are_gone_however_the_program_does_it():
    assert gradients_not_zeroed(make_window(order="forward backward step")) is None


def test_stays_quiet_when_one_of_two_optimizers_zeroes_for_both():
    assert gradients_not_zeroed(make_window(step={"stale_grad": [0.0, 1.0] * 30})) is None


def test_names_the_backward_pass():
    found = gradients_not_zeroed(make_window(step={"stale_grad": 1.0}, lines={"backward": ["train.py:9"]}))
    assert found.where.line == 9


@pytest.mark.parametrize("looks", [0, 4])
def test_is_skipped_after_few_looks(looks):
    with pytest.raises(Skip, match=f"before {looks} backward passes"):
        gradients_not_zeroed(make_window(step={"stale_grad": [1.0] * looks + [None] * (60 - looks)}))


def test_finds_the_one_of_two_optimizers_that_is_forgotten():
    found = gradients_not_zeroed(make_window(step={"stale_grad": [0.0, 1.0] * 30, "optimizer": [0, 1] * 30}))
    assert found.evidence["stale_share"] == 1.0


def test_points_at_the_zeroing_that_stands_before_the_loop():
    given = {"train.py:32": {"zeroed": "train.py:20"}}
    assert gradients_not_zeroed(make_window(step={"stale_grad": 1.0}, given=given)).where.line == 20


@pytest.mark.parametrize(("stale", "line"), [([0.0, 1.0], 9), ([1.0, 0.0], 5)])
def test_names_the_backward_pass_of_the_side_that_is_forgotten(stale, line):
    lines = {"backward": ["gan.py:5", "gan.py:6", "gan.py:9"]}
    window = make_window(step={"stale_grad": stale * 30, "optimizer": [1, 0] * 30}, lines=lines)
    assert gradients_not_zeroed(window).where.line == line


def test_names_the_model_of_the_optimizer_that_is_forgotten():
    window = make_window(
        models=[Model(0, "Forger"), Model(1, "Critic")],
        step={"stale_grad": [0.0, 1.0] * 30, "optimizer": [1, 0] * 30},
        optimizers=[Optimizer(0, "Adam"), Optimizer(1, "Adam")],
    )
    assert "of the optimizer of Forger" in gradients_not_zeroed(window).title
