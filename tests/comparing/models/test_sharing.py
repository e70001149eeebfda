"""Weights that only one of the models shares."""

import pytest

from stetho.comparing.models.compare import compare_models
from tests.comparing.models import backward_pairs as b


@pytest.mark.parametrize(("turned", "who"), [(False, "first"), (True, "second")])
def test_a_weight_that_only_one_shares_is_told(turned: bool, who: str) -> None:
    found = compare_models(*(b.tied()[::-1] if turned else b.tied()), ["2,6:int64:9"])
    assert found.is_equal
    assert found.notes[0].startswith(f"the {who} shares the weight `embed.weight`")


def test_a_weight_that_both_share_is_not_told() -> None:
    assert not compare_models(b.tied()[0], b.tied()[0], ["2,6:int64:9"]).notes
