import numpy as np
import pytest

from stetho.checks.mechanisms.company import batches_are_unrelated
from stetho.checks.run.facts import Loader
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


def phrases(epochs):
    """Streams in their order, in which a phrase comes again by chance, also in the next batch."""
    draw = np.random.default_rng(1)
    once = [[*piece[:15], int(draw.integers(1000, 1004))] for piece in PIECES * 3]
    fresh = [[row * 100 + 5000 + place if sample < 1000 else sample for place, sample in enumerate(batch)]
             for row, batch in enumerate(once)]  # fmt: skip
    return fresh * epochs


def test_phrases_that_come_again_by_chance_are_no_other_company_where_whole_batches_come_again():
    facts = {"samples": phrases(2), "loader": None}
    assert not batches_are_unrelated(make_window(steps=60, loaders=[], batch=facts))


def test_rows_that_go_on_in_the_next_batch_are_related_however_often_phrases_come_again():
    for share, is_unrelated in ((0.98, False), (0.3, True)):
        window = make_window(
            loaders=[],
            batch={"samples": shuffled(), "loader": None},
            probes={"continued": {"pairs": 19, "share": share}},
        )
        assert batches_are_unrelated(window) is is_unrelated
