"""Pairs of many kinds: the right ones are equal; of a planted fault the layer and the operation are named."""

from collections.abc import Callable

import pytest

from stetho.comparing.models.compare import compare_models
from tests.comparing.models import strangers as s
from tests.comparing.models import transformers_pairs as t
from tests.comparing.models.stranger_parts import Pair

IDS = ["2,7:int64:31"]
INPUTS = {
    t.bert: IDS, t.vit: (2, 3, 8, 8), t.llama: IDS, t.t5: IDS, s.encoder_layer: (2, 5, 6),
    s.convolution_1d: (2, 3, 12), s.group_norm: (2, 3, 6, 6), s.two_way_gru: (2, 4, 5), s.turned: (2, 5, 6),
    s.rms_norm: (2, 5, 6), s.experts: (2, 5, 6), s.separable: (2, 4, 6, 6), s.unet: (2, 2, 8, 8),
}  # fmt: skip

PLANTED = [
    (t.bert, "types", "", "add"), (t.bert, "scale", "blocks.1.attn", "softmax"),
    (t.bert, "eps", "blocks.1.n2", "layer_norm"), (t.bert, "residual", "blocks.1.n2", "layer_norm"),
    (t.vit, "patches", "", "permute"), (t.vit, "places", "", "add"), (t.vit, "gelu", "blocks.1", "gelu"),
    (t.vit, "scale", "blocks.1.attn", "softmax"),
    (t.llama, "rope", "blocks.1", "getitem"), (t.llama, "repeat", "blocks.1", "repeat"),
    (t.llama, "gate", "blocks.1", "gelu"), (t.llama, "centred", "blocks.1.n2", "mean"),
    (t.t5, "bias", "blocks.1", "softmax"), (t.t5, "scale", "blocks.1", "div"),
    (s.encoder_layer, "activation", "block", "gelu"), (s.encoder_layer, "scale", "block.attn", "softmax"),
    (s.encoder_layer, "residual", "block.n2", "layer_norm"),
    (s.convolution_1d, "padding", "1", "pad"), (s.convolution_1d, "dilation", "1", "getitem"),
    (s.group_norm, "groups", "1", "mean"), (s.group_norm, "unbiased", "1", "var"),
    (s.two_way_gru, "reset", "", "add"), (s.two_way_gru, "update", "", "mul"), (s.two_way_gru, "order", "", "stack"),
    (s.turned, "keys", "", "matmul"), (s.turned, "base", "", "pow"), (s.turned, "sign", "", "mul"),
    (s.rms_norm, "centred", "1", "sub"), (s.rms_norm, "outside", "1", "sqrt"),
    (s.experts, "normalised", "", "scatter"), (s.experts, "topk", "", "topk"), (s.experts, "activation", "", "relu"),
    (s.separable, "kernel", "", "conv2d"), (s.separable, "order", "", "relu"),
    (s.unet, "pool", "", "avg_pool2d"), (s.unet, "corners", "", "interpolate"), (s.unet, "skip", "", "cat"),
]  # fmt: skip


@pytest.mark.parametrize("make", INPUTS, ids=lambda make: make.__name__)
def test_right_implementations_are_equal(make: Callable[[], Pair]) -> None:
    found = compare_models(*make(), INPUTS[make], port=False)
    assert found.is_equal, str(found)


@pytest.mark.parametrize(
    ("make", "fault", "layer", "operation"),
    PLANTED,
    ids=[f"{row[0].__name__}-{row[1]}" for row in PLANTED],
)
def test_names_the_place_of_a_planted_fault(
    make: Callable[[str], Pair], fault: str, layer: str, operation: str
) -> None:
    difference = compare_models(*make(fault), INPUTS[make], port=False).first_difference
    assert difference is not None
    assert difference.other is not None
    assert (difference.other.layer, difference.other.operation) == (layer, operation)


def test_what_the_second_does_not_do_is_named_in_the_first() -> None:
    difference = compare_models(*s.separable("shortcut"), INPUTS[s.separable], port=False).first_difference
    assert difference is not None
    assert difference.other is None
    assert difference.one is not None
    assert (difference.one.layer, difference.one.operation) == ("", "add")
