"""What is kept of a batch: few copies, and a hash that knows it again."""

import pytest
import torch

from stetho.capture.torch.feed import samples
from stetho.capture.torch.feed.samples import content_hash, regular_sample, sample_rows, with_other_ids


def test_the_hash_is_that_of_the_content_whatever_its_place_in_memory():
    x = torch.randn(60, 70)
    assert content_hash(regular_sample(x), x.numel()) == content_hash(regular_sample(x.t().contiguous().t()), x.numel())
    assert content_hash(regular_sample(x), x.numel()) != content_hash(regular_sample(-x), x.numel())
    assert content_hash(torch.zeros(4), 4) != content_hash(torch.zeros(4), 8)


@pytest.mark.parametrize("shape", [(), (1,), (5, 0), (3, 4), (100, 3, 8, 8), (2, 100_000)])
def test_samples_are_small_copies(shape):
    x = torch.zeros(shape)
    assert regular_sample(x).numel() <= 2 * samples.HASHED
    rows = sample_rows(x) if x.numel() else torch.zeros(1, 1)
    assert rows.dim() == 2
    assert rows.shape[0] <= samples.SAMPLES
    assert rows.shape[1] <= 2 * samples.HASHED_OF_SAMPLE


def test_samples_come_from_all_over_a_large_batch():
    rows = sample_rows(torch.arange(1000.0)[:, None])
    assert len(rows) <= samples.SAMPLES
    assert rows[-1].item() > 900


@pytest.mark.parametrize(
    ("first", "others", "columns"),
    [
        pytest.param(torch.arange(4), [torch.arange(4)], 2, id="ids"),
        pytest.param(torch.arange(4)[:, None], [torch.arange(4)[:, None]], 2, id="columns of ids"),
        pytest.param(torch.arange(4), [torch.rand(4)], 1, id="a number beside an id"),
        pytest.param(torch.arange(4), [torch.arange(3)], 1, id="another count"),
        pytest.param(torch.zeros(4, 3, dtype=torch.int64), [torch.zeros(4, 3, dtype=torch.int64)], 3, id="sequences"),
        pytest.param(torch.rand(4), [torch.rand(4)], 1, id="numbers"),
    ],
)
def test_ids_beside_one_another_make_a_sample(first, others, columns):
    rows = sample_rows(with_other_ids(first, (first, *others)))
    assert rows.shape == (4, columns)


def test_a_single_number_is_a_sample_too():
    assert with_other_ids(torch.tensor(3), (torch.tensor(3),)).item() == 3
