import pytest

from stetho.checks.declare import Skip
from stetho.checks.facts import Loader
from stetho.checks.loop.repeated_batch import repeated_batch
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


def test_is_skipped_without_a_loader_and_after_few_batches():
    with pytest.raises(Skip, match="0 training batches came from a loader"):
        repeated_batch(repeated(loader=None))
    with pytest.raises(Skip, match="9 training batches"):
        repeated_batch(repeated(steps=9))
