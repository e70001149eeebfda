import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.repeated_batch import repeated_batch
from stetho.checks.run.facts import Loader
from stetho.testing import make_window


def repeated(hashes=7.0, length=640, steps=60, loader=0.0):
    loaders = [Loader(0, length=length, batch_size=32, line="train.py:3")]
    return make_window(steps=steps, loaders=loaders, batch={"loader": loader, "hash": hashes})


def test_finds_one_batch_out_of_many():
    found = repeated_batch(repeated())
    assert (found.severity, found.where.line, found.evidence["different_batches"]) == ("error", 3, 1)
    assert "60 of 60 training batches are the same, out of 640 samples" in found.title


def test_a_few_others_in_between_do_not_matter():
    assert repeated_batch(repeated([float(max(step, 2)) if step < 3 else 2.0 for step in range(60)])) is not None


def test_stays_quiet_on_batches_that_come_again_in_every_epoch():
    assert repeated_batch(repeated([float(step % 20) for step in range(60)])) is None


@pytest.mark.parametrize("length", [32, 64, None])
def test_stays_quiet_when_there_is_hardly_more_than_this_batch(length):
    assert repeated_batch(repeated(length=length)) is None


def by_hand(hashes=7.0, *, evaluated=300.0, correct=60.0, steps=60, order="zero_grad forward backward step", seen=9.0):
    """A run without a loader, with an evaluation of ten classes."""
    answers = {"label_counts": [np.full(10, 10.0)] * 3, "correct": correct, "counted": 100.0}
    evaluation = {"step": [20.0, 40.0, 60.0], "size": evaluated, "hash": seen, **answers}
    batch = {"loader": None, "size": 32.0, "hash": hashes}
    return make_window(steps=steps, step={"order": order}, loaders=[], batch=batch, eval_batch=evaluation)


def test_finds_the_same_batch_by_hand_where_an_evaluation_has_many_more_samples():
    found = repeated_batch(by_hand())
    assert (found.severity, found.evidence["different_batches"]) == ("warning", 1)
    assert "60 of 60 training batches are the same 32 samples, while 300 are evaluated" in found.title


def test_finds_it_where_the_evaluated_batches_were_not_compared():
    assert repeated_batch(by_hand(seen=float("nan"))) is not None
    assert repeated_batch(by_hand(seen=7.0)) is None


def test_stays_quiet_on_all_data_at_once_on_other_batches_and_where_the_evaluation_goes_well():
    assert repeated_batch(by_hand(evaluated=40.0)) is None
    assert repeated_batch(by_hand(seen=7.0)) is None
    assert repeated_batch(by_hand([float(step % 3) for step in range(60)])) is None
    assert repeated_batch(by_hand(correct=95.0)) is None


def test_is_skipped_without_a_loader_or_an_evaluation_and_after_few_batches():
    with pytest.raises(Skip, match="no evaluation shows that there is more"):
        repeated_batch(by_hand(np.nan))
    with pytest.raises(Skip, match="fewer than 10 training batches"):
        repeated_batch(repeated(steps=9))


def test_is_skipped_where_other_passes_of_a_step_may_have_other_data():
    with pytest.raises(Skip):
        repeated_batch(by_hand(order="zero_grad forward forward backward step"))
