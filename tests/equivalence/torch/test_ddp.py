"""Two real processes that share the batches."""

import pytest

import tests.equivalence.setups as setups
from stetho.equivalence.torch.ddp import RanksFailed, ddp


def test_unequal_shares_are_found_in_the_gradients() -> None:
    found = ddp(setups.uneven, target=f"{setups.__file__}:uneven", steps=1)
    assert found.ways[1] == "2 processes with 8 and 7 samples each step"
    assert found.first_difference is not None
    assert found.first_difference.stage == "grad"
    assert "8 and 7 samples" in found.reasons[0]


def test_processes_that_fail_are_quoted() -> None:
    with pytest.raises(RanksFailed, match="no such file"):
        ddp(setups.uneven, target="nowhere.py:setup", steps=1)
