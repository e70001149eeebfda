"""What is kept of a batch: few copies, and a hash that knows it again."""

import pytest
import torch

from stetho.capture.torch import samples
from stetho.capture.torch.samples import content_hash, regular_sample, sample_rows


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
