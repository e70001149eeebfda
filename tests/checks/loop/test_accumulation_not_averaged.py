import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.accumulation_not_averaged import accumulation_not_averaged
from stetho.checks.run.facts import Group, Loss, Optimizer
from stetho.testing import make_window

SGD = [Optimizer(0, "SGD", groups=(Group({"lr": 0.1}),))]


def accumulating(loss=1.0, passes=4, optimizers=SGD, steps=10, order=None, **facts):
    """So many passes a step, each of which computes a loss of 1 and sends `loss` backward."""
    order = order or "zero_grad" + " forward backward" * passes + " step"
    # A window made by hand has one training batch a step: the rows of its evaluation are made training passes, too.
    more = {"step": np.arange(steps * passes) // passes + 1, "phase": "train", "loss": 1.0}
    step = {"loss": loss, "backwards": passes}
    return make_window(
        steps=steps, order=order, step=step, batch={"loss": 1.0}, eval_batch=more, optimizers=optimizers, **facts
    )


def test_finds_passes_with_their_whole_loss():
    found = accumulation_not_averaged(accumulating())
    assert (found.severity, found.evidence["passes_a_step"], found.where.line) == ("warning", 4, 32)


def test_stays_quiet_when_each_pass_has_its_part():
    assert accumulation_not_averaged(accumulating(loss=0.25)) is None


def test_stays_quiet_on_losses_that_are_sums():
    assert accumulation_not_averaged(accumulating(losses=[Loss("mse_loss", reduction="sum")])) is None


def test_is_a_note_with_an_optimizer_that_does_not_mind_the_size_of_gradients():
    assert accumulation_not_averaged(accumulating(optimizers=[Optimizer(0, "AdamW")])).severity == "note"


def test_is_skipped_without_accumulation():
    with pytest.raises(Skip, match="no gradients are accumulated"):
        accumulation_not_averaged(make_window())


def test_is_skipped_when_backward_is_called_in_several_places():
    with pytest.raises(Skip, match="no gradients are accumulated"):
        accumulation_not_averaged(accumulating(lines={"backward": ["gan.py:3", "gan.py:9"]}))


def test_is_skipped_when_the_loss_of_a_pass_is_not_known():
    with pytest.raises(Skip, match="not one that is known"):
        accumulation_not_averaged(
            make_window(order="zero_grad forward backward forward backward step", step={"backwards": 2})
        )


def test_is_skipped_where_gradients_are_zeroed_between_the_passes_as_in_a_closure():
    order = "zero_grad forward backward zero_grad forward backward step"
    with pytest.raises(Skip, match="as in a closure"):
        accumulation_not_averaged(make_window(order=order, step={"backwards": 2.0}))


def test_finds_it_where_passes_are_left_over_at_the_end_of_an_epoch():
    usual = "zero_grad" + " forward backward" * 4 + " step"
    orders = [f"zero_grad forward backward {usual}" if step % 5 == 4 else usual for step in range(10)]
    window = accumulating(order=orders)
    assert accumulation_not_averaged(window).evidence["passes_a_step"] == 4
