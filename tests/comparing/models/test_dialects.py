"""Pairs in two dialects, each with the place of its fault that has to be named."""

from collections.abc import Callable
from typing import Any

import pytest

from stetho.comparing.models.compare import compare_models
from tests.comparing.models import backward_pairs as b
from tests.comparing.models import dialects as d
from tests.comparing.models.stranger_parts import Pair

IDS = ["2,6:int64:11"]
INPUTS: dict[Callable[..., Pair], Any] = {
    d.deep_gru: IDS,
    d.pre_norm: (2, 5, 12),
    d.strided: (3, 3, 8, 8),
    d.rotary: ["ids=2,6:int64:13", "labels=2,6:int64:13"],
    b.cut: (4, 5),
    b.laid_out: (2, 5, 6),
}

PLANTED = [
    (d.deep_gru, "swapped", "forward", "cells.1", "sub", "the second does sub to what the first does mul to"),
    (d.pre_norm, "post", "forward", "qkv", "linear", "before that, the first does layer_norm in `norm1`"),
    (d.pre_norm, "scale", "forward", "", "softmax", "what the second takes is 2 times the first"),
    (d.pre_norm, "norm used twice", "forward", "norm1", "layer_norm", ""),
    (d.strided, "padding", "forward", "body", "pad", "`mode` is 'constant' in the first, 'circular' in the second"),
    (d.strided, "eps", "forward", "n2", "batch_norm", "`eps` is 1e-05 in the first, 0.001 in the second"),
    (d.strided, "swish", "forward", "", "mul", ""),
    (d.strided, "momentum", "state", "n2", "batch_norm", "`momentum` is 0.1 in the first, 0.2 in the second"),
    (d.rotary, "sign", "forward", "", "neg", ""),
    (d.rotary, "mask", "forward", "", "masked_fill", "20 of 144 elements are masked on one side only"),
    (d.rotary, "half", "forward", "", "to", "only the second casts these values here, to float16"),
    (d.rotary, "shift", "forward", "", "cross_entropy", "before that, the first does getitem"),
    (b.cut, "norm weight", "gradient", "", "detach", "the gradient of `norm.weight` does not"),
    (b.cut, "norm bias", "gradient", "", "detach", "the gradient of `norm.bias` does not"),
    (b.cut, "last bias", "gradient", "", "detach", "no gradient comes there"),
    (b.cut, "round", "gradient", "", "round", ""),
    (b.cut, "factor", "gradient", "", "mul", "the gradient of the second is 0.5 times the first"),
    (b.laid_out, "gates", "forward", "rnn", "tanh", "`rnn.weight_ih_l0` holds blocks in another order"),
    (b.laid_out, "heads", "forward", "qkv", "linear", "holds the values of `qkv.weight` in another order"),
    (b.laid_out, "turned", "forward", "square", "linear", "`square.weight` lies the wrong way"),
]


@pytest.mark.parametrize(
    ("make", "fault", "stage", "layer", "operation", "reason"),
    PLANTED,
    ids=[f"{row[0].__name__}-{row[1]}" for row in PLANTED],
)
def test_names_the_place_of_a_planted_fault(
    make: Callable[[str], Pair], fault: str, stage: str, layer: str, operation: str, reason: str
) -> None:
    found = compare_models(*make(fault), INPUTS[make], port=False, training=make is d.strided and stage == "state")
    difference = found.first_difference
    assert difference is not None
    assert difference.other is not None
    assert (difference.stage, difference.other.layer, difference.other.operation) == (stage, layer, operation)
    assert reason in "\n".join(difference.reasons)
    assert difference.error is not None


@pytest.mark.parametrize("make", INPUTS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("training", [False, True], ids=["evaluation", "training"])
def test_right_dialects_are_equal(make: Callable[[], Pair], training: bool) -> None:
    found = compare_models(*make(), INPUTS[make], port=False, training=training)
    assert found.is_equal, str(found)


@pytest.mark.parametrize("name", b.WORDS)
@pytest.mark.parametrize("turned", [False, True], ids=["as it is", "the other way round"])
def test_the_same_in_other_words_is_equal(name: str, turned: bool) -> None:
    pair = b.worded(name)[::-1] if turned else b.worded(name)
    found = compare_models(*pair, b.WORDS[name][3], port=False)
    assert found.is_equal, str(found)


@pytest.mark.parametrize("name", b.WORDS)
def test_weights_go_over_to_the_same_in_other_words(name: str) -> None:
    assert compare_models(*b.worded(name), b.WORDS[name][3], port=True).is_equal
