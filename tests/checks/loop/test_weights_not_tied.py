import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.weights_not_tied import MEASURES, weights_not_tied
from stetho.testing import make_window

LAYERS = {"embed": "Embedding(16, 8)", "head": "Linear(in_features=8, out_features=16, bias=False)"}
APART = np.linspace(0.5, 0.6, 60)


def measured(embedding, head, layers=LAYERS):
    names = ("embed.weight", embedding), ("head.weight", head)
    return make_window(layers=layers, stats={(name, stat): values for name, values in names for stat in MEASURES})


def test_finds_copied_weights_that_go_separate_ways():
    found = weights_not_tied(measured(APART, 2 * APART - 0.5))
    assert (found.severity, found.where.parameter) == ("warning", "head.weight")
    assert "(128 values)" in found.title


def test_stays_quiet_on_weights_that_differ_from_the_start():
    assert weights_not_tied(measured(APART, APART + 0.1)) is None


def test_stays_quiet_on_weights_that_stay_equal():
    assert weights_not_tied(measured(APART, APART)) is None


def test_stays_quiet_on_two_that_begin_with_zeros():
    assert weights_not_tied(measured(APART - 0.5, 2 * APART - 1)) is None


def test_is_skipped_without_an_embedding():
    with pytest.raises(Skip, match="there is no embedding"):
        weights_not_tied(make_window())


def test_a_bag_is_an_embedding_too():
    layers = LAYERS | {"embed": "EmbeddingBag(16, 8)"}
    assert weights_not_tied(measured(APART, 2 * APART - 0.5, layers)) is not None
