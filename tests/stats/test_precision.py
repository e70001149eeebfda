"""The limits of number formats agree with torch's own casts."""

import pytest
import torch

from stetho.stats.histogram import log2_histogram
from stetho.stats.precision import FORMATS, Format, best_shift, loss_in

DTYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp8 e4m3": torch.float8_e4m3fn, "fp8 e5m2": torch.float8_e5m2}


def powers_of_two() -> torch.Tensor:
    # One value in the middle of each power of two, so that no rounding at an edge matters.
    return 1.25 * 2.0 ** torch.arange(-40, 40)


@pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.name)
def test_counts_what_a_cast_loses(kind: Format) -> None:
    values = powers_of_two()
    cast = values.to(DTYPES[kind.name]).float()
    loss = loss_in(kind, log2_histogram(values).tolist())
    assert loss.zero == pytest.approx((cast == 0).float().mean().item())
    limit = torch.finfo(DTYPES[kind.name]).max
    overflow = (~torch.isfinite(cast) | (values > limit)).float().mean().item()
    # In the bucket that holds the limit itself, values are taken to lie evenly.
    assert loss.overflow == pytest.approx(overflow, abs=1 / len(values))


def test_zeros_and_nothing_lose_nothing() -> None:
    assert loss_in(FORMATS[0], log2_histogram(torch.zeros(4)).tolist()).zero == 0.0
    assert loss_in(FORMATS[0], [0] * 257).overflow == 0.0
    assert best_shift(FORMATS[0], [0] * 257) is None


def test_a_scale_brings_small_gradients_into_range() -> None:
    counts = log2_histogram(torch.tensor([1e-9, 1e-8, 1e-6])).tolist()
    shift = best_shift(FORMATS[0], counts)
    assert shift is not None
    assert loss_in(FORMATS[0], counts).zero > 0
    after = loss_in(FORMATS[0], counts, shift)
    assert (after.zero, after.overflow) == (0.0, 0.0)
