"""Models by newcomers: the right ones are equal with weights carried over; of a fault the place is named."""

from collections.abc import Callable
from typing import Any

import pytest

from stetho.comparing.models.compare import compare_models
from tests.comparing.models import newcomers as n
from tests.comparing.models.stranger_parts import Pair

INPUTS: dict[Callable[..., Pair], Any] = {
    n.gru: (2, 4, 5), n.decoder: ["2,6:int64:11"], n.same_padded: (2, 3, 8, 8), n.lstm: (2, 4, 5),
}  # fmt: skip

PLANTED = [
    # The state begins with zeros, so that the product with the reset gate is the same in the first step.
    (n.gru, "reset before", "forward", "", "add", "the second does add to what the first does mul to"),
    (n.decoder, "eps outside", "forward", "norm", "std", ""),
    (n.decoder, "sample spread", "forward", "norm", "var", "the second is 1.09091 times the first, at every element"),
    # As many places as frequencies: the numbers themselves are in both models.
    (n.decoder, "places from one", "forward", "", "div", ""),
    (n.decoder, "no root", "forward", "", "add", "before that, the first does mul"),
    (n.decoder, "one ahead", "forward", "", "masked_fill", "30 of 216 elements are masked on one side only"),
    (n.decoder, "over queries", "forward", "", "softmax", "`dim` is -1 in the first, -2 in the second"),
    (n.decoder, "data", "gradient", "", "detach", "no gradient comes there"),
    (n.decoder, "last only", "forward", "head", "linear", "before that, the first does mean"),
    (n.same_padded, "begin", "forward", "", "pad", ""),
    (n.same_padded, "momentum of the other kind", "state", "norm", "batch_norm", "`momentum` is 0.1 in the first, 0.9"),
    (n.lstm, "forget bias", "forward", "", "add", "before that, the first does sigmoid"),
    (n.lstm, "gate squashed", "forward", "", "sigmoid", "the second does sigmoid to what the first does tanh to"),
    (n.lstm, "cell bare", "forward", "", "mul", "the second does mul to what the first does tanh to"),
]


@pytest.mark.parametrize(
    ("make", "fault", "stage", "layer", "operation", "reason"),
    PLANTED,
    ids=[f"{row[0].__name__}-{row[1]}" for row in PLANTED],
)
def test_names_the_place_of_a_planted_fault(
    make: Callable[[str], Pair], fault: str, stage: str, layer: str, operation: str, reason: str
) -> None:
    difference = compare_models(*make(fault), INPUTS[make], training=stage == "state").first_difference
    assert difference is not None
    assert difference.other is not None
    assert (difference.stage, difference.other.layer, difference.other.operation) == (stage, layer, operation)
    assert reason in "\n".join(difference.reasons)


@pytest.mark.parametrize("make", INPUTS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("training", [False, True], ids=["evaluation", "training"])
def test_right_ones_are_equal(make: Callable[[], Pair], training: bool) -> None:
    found = compare_models(*make(), INPUTS[make], training=training)
    assert found.is_equal, str(found)


def test_gates_that_are_swapped_in_code_and_weights_are_no_fault() -> None:
    assert compare_models(*n.decoder("gates swapped"), INPUTS[n.decoder]).is_equal


def test_dropout_that_stays_on_is_noted() -> None:
    found = compare_models(*n.decoder("dropout stays"), INPUTS[n.decoder])
    assert found.is_equal
    assert "the second drops numbers in evaluation too" in found.notes[0]
