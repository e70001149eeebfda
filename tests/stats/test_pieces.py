"""Many small tensors at once: the same numbers as one by one. Any warning of numpy fails these tests."""

from math import inf, nan

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from stetho.stats.pieces import summaries_of
from stetho.stats.torch_kernel import measure

ELEMENTS = st.floats(width=32) | st.sampled_from([nan, inf, -inf, 0.0, -0.0, 1e-45, 3e38])
PIECES = st.lists(arrays(np.float32, st.integers(1, 20), elements=ELEMENTS), max_size=6)


@given(PIECES)
@settings(max_examples=100, deadline=None)
def test_each_piece_has_the_numbers_that_it_has_alone(pieces):
    together = summaries_of(pieces)
    for piece, summary in zip(pieces, together, strict=True):
        alone = measure(torch.from_numpy(piece))
        assert summary[:6] == alone[:6]
        size = alone.rms if alone.finite else 0.0
        assert summary.row(1) == pytest.approx(alone.row(1), rel=2e-3, abs=1e-5 * size, nan_ok=True)


def test_a_piece_that_is_not_finite_leaves_its_neighbours_alone():
    before, bad, after = summaries_of([np.ones(3, np.float32), np.array([nan], np.float32), np.zeros(2, np.float32)])
    assert (before.mean, before.nans, bad.nans, after.zeros, after.nans) == (1.0, 0, 1, 2, 0)


def test_there_may_be_none():
    assert summaries_of([]) == []
