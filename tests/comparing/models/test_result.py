"""The result as an object."""

from stetho.comparing.models.layers import Match
from stetho.comparing.models.result import Difference, ModelComparison, Spot
from stetho.comparing.models.trace import Layer


def test_a_difference_names_both_places_and_the_reasons() -> None:
    difference = Difference("forward", Spot("a", "A", "mul", (2,)), Spot("", "", "add", (2,)), None, ("because",))
    found = ModelComparison(("first", "second"), difference, [Match(Layer("a", "A", 1, 1, 1), None, "alone")], 1e-9)
    assert str(found) == "different: mul in `a` (A) and add in the model itself\n- because"
    assert not found.is_equal
    assert found.table()[0]["second"] is None
    assert found.to_json()["first_difference"]["text"] == "mul in `a` (A) and add in the model itself"


def test_without_a_difference_it_is_equal() -> None:
    assert str(ModelComparison(("a", "b"), None, [], 1e-9, compared="1 output")) == "equal: 1 output"
