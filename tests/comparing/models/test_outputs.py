"""Outputs that belong together."""

import numpy as np
import pytest

from stetho.comparing.models.outputs import pair_outputs
from stetho.comparing.models.trace import OPERATION, Site, Trace
from stetho.errors import UsageError

DRAWN = np.random.default_rng(0).normal(size=(2, 3))


def trace(*values: np.ndarray) -> Trace:
    sites = [Site(n, OPERATION, "op", "", value) for n, value in enumerate(values)]
    return Trace("net", sites, [], list(range(len(values))))


def test_values_come_before_shapes() -> None:
    assert pair_outputs(trace(DRAWN, DRAWN + 1), trace(DRAWN + 1, DRAWN), 1e-9) == [(1, 0), (0, 1)]


def test_an_output_that_only_one_gives_has_no_partner() -> None:
    assert pair_outputs(trace(np.zeros(7), DRAWN), trace(DRAWN + 1), 1e-9) == [(1, 0)]


def test_nothing_in_common_is_told() -> None:
    with pytest.raises(UsageError, match=r"\[2, 3\], the second \[7\]"):
        pair_outputs(trace(DRAWN), trace(np.zeros(7)), 1e-9)
