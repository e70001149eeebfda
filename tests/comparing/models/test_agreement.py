"""Sites that hold the same values."""

import numpy as np

from stetho.comparing.models.agreement import Agreements
from stetho.comparing.models.trace import INPUT, OPERATION, Site, Trace

DRAWN = np.random.default_rng(0).normal(size=(2, 3))


def trace(*values: np.ndarray) -> Trace:
    sites = [Site(0, INPUT, "x", "", np.zeros(1), is_data=True)]
    sites += [Site(n, OPERATION, f"op{n}", "", value, (n - 1,), is_data=True) for n, value in enumerate(values, 1)]
    return Trace("net", sites, [], [len(values)])


def test_the_same_values_agree_whatever_they_are_called() -> None:
    same = Agreements(trace(DRAWN + 1, DRAWN), trace(DRAWN.T, DRAWN + 1), 1e-9)
    assert (same.of_other[1].one, same.of_other[1].how) == (2, "reordered")
    assert (same.of_other[2].one, same.of_other[2].how) == (1, "same")


def test_a_forced_partner_is_the_only_one() -> None:
    same = Agreements(trace(DRAWN + 1, DRAWN), trace(DRAWN, DRAWN + 1), 1e-9, {1: 1})
    assert 1 not in same.of_other
