"""A cast in one model alone, on either side."""

import pytest

from stetho.comparing.models.compare import compare_models
from tests.comparing.models import dialects


@pytest.mark.parametrize("which", ["first", "second"])
def test_a_cast_on_one_side_alone_is_named_on_either_side(which: str) -> None:
    right, wrong = dialects.rotary("half")
    pair = (wrong, right) if which == "first" else (right, wrong)
    inputs = ["ids=2,6:int64:13", "labels=2,6:int64:13"]
    difference = compare_models(*pair, inputs, port=False).first_difference
    assert difference is not None
    spot = difference.one if which == "first" else difference.other
    assert spot is not None
    assert spot.operation == "to"
    assert f"only the {which} casts" in difference.reasons[0]
