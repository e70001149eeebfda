import numpy as np
import pytest

from stetho.checks.company import batches_are_unrelated
from stetho.checks.facts import Loader
from stetho.testing import make_window

PIECES = [list(range(16 * place, 16 * place + 16)) for place in range(10)]


def shuffled():
    order = np.random.default_rng(0)
    return [batch.tolist() for _ in range(6) for batch in np.split(order.permutation(160), 10)]


@pytest.mark.parametrize("is_shuffled", [True, False])
def test_a_loader_tells_whether_it_shuffles(is_shuffled):
    window = make_window(loaders=[Loader(0, shuffled=is_shuffled)], batch={"samples": PIECES * 6, "loader": 0})
    assert batches_are_unrelated(window) is is_shuffled


def test_samples_in_other_company_were_shuffled_by_hand():
    assert batches_are_unrelated(make_window(loaders=[], batch={"samples": shuffled(), "loader": None}))


def test_pieces_in_their_order_and_samples_that_never_come_again_tell_nothing():
    fresh = np.arange(960).reshape(60, 16).tolist()
    for samples in (PIECES * 6, fresh, [[7]] * 60, [None] * 60):
        assert not batches_are_unrelated(make_window(loaders=[], batch={"samples": samples, "loader": None}))
