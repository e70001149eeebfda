"""The log2 histogram: every finite value falls into the bucket that the run format gives to it."""

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from stetho.stats.histogram import HIGHEST, LOWEST, SAMPLE, SIDE, log2_histogram
from stetho.store.events import BUCKET_EDGES
from stetho.store.format import HISTOGRAM_BUCKETS, HISTOGRAM_HIGHEST, HISTOGRAM_LOWEST

IN_RANGE = st.floats(2.0**LOWEST, 2.0**HIGHEST, width=32)


def bucket(value, dtype=torch.float64):
    """The one bucket that a value falls into."""
    counts = log2_histogram(torch.tensor([value], dtype=dtype))
    assert counts.sum() == 1
    return int(counts.argmax())


def test_the_buckets_are_those_of_the_run_format():
    assert (LOWEST, HIGHEST, 2 * SIDE + 1) == (HISTOGRAM_LOWEST, HISTOGRAM_HIGHEST, HISTOGRAM_BUCKETS)
    assert log2_histogram(torch.zeros(1)).shape == (HISTOGRAM_BUCKETS,)
    assert log2_histogram(torch.zeros(1)).dtype == torch.int32


@given(IN_RANGE)
@example(1.0)
@example(2.0**LOWEST)
@example(2.0**HIGHEST)
@example(float(np.nextafter(np.float32(1), np.float32(0))))
def test_a_value_lies_between_the_edges_of_its_bucket(value):
    for dtype in (torch.float32, torch.float64):
        at = bucket(value, dtype)
        assert BUCKET_EDGES[at] <= value < BUCKET_EDGES[at + 1]


@given(IN_RANGE)
def test_negative_values_mirror_positive_ones(value):
    assert bucket(-value) == 2 * SIDE - bucket(value)


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_zeros_are_in_the_middle(zero):
    assert bucket(zero) == SIDE


@pytest.mark.parametrize(
    ("value", "at"),
    [(2.0**-64, SIDE + 1), (1e-30, SIDE + 1), (1e-300, SIDE + 1), (2.0**64, 2 * SIDE), (1e300, 2 * SIDE)],
)
def test_values_beyond_the_buckets_fall_into_the_outermost(value, at):
    assert bucket(value) == at
    assert bucket(-value) == 2 * SIDE - at


def test_values_that_are_not_finite_are_left_out():
    counts = log2_histogram(torch.tensor([float("nan"), float("inf"), float("-inf"), 1.0]))
    assert counts.sum() == 1


def test_nothing_gives_empty_buckets():
    assert log2_histogram(torch.empty(0, 3)).sum() == 0


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_counts_do_not_depend_on_the_type(dtype):
    values = torch.tensor([[-3.0, -0.25, 0.0], [0.5, 1.0, 7.0]])
    assert torch.equal(log2_histogram(values.to(dtype)), log2_histogram(values))


@pytest.mark.parametrize("dtype", [torch.int64, torch.uint8, torch.bool])
def test_whole_numbers_are_counted_too(dtype):
    assert log2_histogram(torch.tensor([0, 1, 1]).to(dtype))[SIDE : SIDE + 66].sum() == 3


def test_strides_do_not_matter():
    values = torch.arange(24.0).reshape(4, 6)
    assert torch.equal(log2_histogram(values.t()), log2_histogram(values))
    assert log2_histogram(values[:, ::2]).sum() == 12
    assert log2_histogram(torch.ones(1).expand(5)).sum() == 5


def test_a_large_tensor_is_sampled_over_its_whole_length():
    values = torch.cat([torch.ones(SAMPLE), torch.full((SAMPLE,), 4.0), torch.full((SAMPLE,), 16.0)])
    counts = log2_histogram(values)
    assert SAMPLE // 2 < counts.sum() <= SAMPLE
    share = [counts[SIDE + 1 - LOWEST + power] / counts.sum() for power in (0, 2, 4)]
    assert [float(one) for one in share] == pytest.approx([1 / 3] * 3, abs=0.01)


def test_the_tensor_is_not_changed_and_needs_no_gradient():
    values = torch.tensor([1.0, float("nan")], requires_grad=True)
    counts = log2_histogram(values * 1.0)
    assert not counts.requires_grad
    assert values[0] == 1.0


@given(arrays(np.float32, st.integers(0, 30), elements=st.floats(width=32)))
def test_bits_tell_what_the_numbers_tell(values):
    assert torch.equal(log2_histogram(torch.from_numpy(values)), log2_histogram(torch.from_numpy(values).double()))
