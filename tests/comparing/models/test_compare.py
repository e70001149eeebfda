"""Pairs that nobody wrote alike: equal ones are equal, and of each planted fault the place is named."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from stetho.comparing.models.compare import compare_models
from stetho.errors import UsageError
from tests.comparing.models import pairs

Pair = tuple[nn.Module, nn.Module]
INPUTS = {
    pairs.attention: (2, 5, 8),
    pairs.lstm: (2, 4, 5),
    pairs.gru: (2, 4, 5),
    pairs.gpt: ["input_ids=2,7:int64:31"],
    pairs.convolution: (2, 3, 6, 6),
}

PLANTED = [
    (pairs.attention, "scale", "", "softmax", "what the second takes is 2 times the first"),
    (pairs.attention, "softmax axis", "", "softmax", "`dim` is -1 in the first, -2 in the second"),
    (pairs.attention, "heads", "", "reshape", "another order"),
    (pairs.attention, "transposed", "v", "linear", "`v.weight` lies the wrong way"),
    (pairs.attention, "bias", "q", "linear", "`q.bias` holds values that no weight of the first holds"),
    (pairs.lstm, "gates", "", "tanh", "the second does tanh to what the first does sigmoid to"),
    (pairs.lstm, "forget", "", "add", ""),
    (pairs.lstm, "tanh", "", "mul", "before that, the first does tanh"),
    (pairs.gru, "reset", "", "mul", ""),
    (pairs.gpt, "epsilon", "blocks.1.norm1", "layer_norm", "`eps` is 1e-05 in the first, 1e-06 in the second"),
    (pairs.gpt, "mask", "blocks.1", "masked_fill", "24 of 196 elements are masked on one side only"),
    (pairs.gpt, "residual", "blocks.1.norm2", "layer_norm", "by add in `transformer.h.1`"),
    (pairs.gpt, "norm axis", "blocks.1", "layer_norm", ""),
    (pairs.gpt, "gelu", "blocks.1", "gelu", ""),
    (pairs.gpt, "places", "places", "embedding", ""),
    (pairs.gpt, "last norm", "head", "linear", "before that, the first does layer_norm in `transformer.ln_f`"),
    (pairs.convolution, "activation", "", "leaky_relu", ""),
    (pairs.convolution, "pool", "", "amax", ""),
    (pairs.convolution, "epsilon", "body", "conv2d", "`body.weight` holds values that no weight of the first holds"),
    (pairs.convolution, "mean", "body", "conv2d", "`body.bias` holds values that no weight of the first holds"),
]


@pytest.mark.parametrize(
    ("make", "fault", "layer", "operation", "reason"), PLANTED, ids=[f"{row[0].__name__}-{row[1]}" for row in PLANTED]
)
def test_names_the_place_of_a_planted_fault(
    make: Callable[[str], Pair], fault: str, layer: str, operation: str, reason: str
) -> None:
    found = compare_models(*make(fault), INPUTS[make], port=False)
    difference = found.first_difference
    assert difference is not None
    assert difference.stage == "forward"
    assert difference.other is not None
    assert (difference.other.layer, difference.other.operation) == (layer, operation)
    assert reason in "\n".join(difference.reasons)
    assert difference.other.line is not None
    assert "pairs.py:" in difference.other.line
    assert difference.error is not None
    assert difference.error.max_abs > 0


@pytest.mark.parametrize("make", INPUTS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("turned", [False, True], ids=["as it is", "the other way round"])
def test_right_implementations_are_equal(make: Callable[[], Pair], turned: bool) -> None:
    one, other = make()[::-1] if turned else make()
    found = compare_models(one, other, INPUTS[make], port=False)
    assert found.is_equal, str(found)


@pytest.mark.parametrize("make", INPUTS, ids=lambda make: make.__name__)
def test_weights_are_carried_over_where_they_are_not_the_same(make: Callable[[], Pair]) -> None:
    one, other = make()
    for parameter in other.parameters():
        nn.init.normal_(parameter)
    before = [parameter.clone() for parameter in other.parameters()]
    found = compare_models(one, other, INPUTS[make])
    assert found.is_equal, str(found)
    assert "confirmed" in found.weights
    assert all(torch.equal(was, now) for was, now in zip(before, other.parameters(), strict=True))


def test_a_fault_is_named_also_after_weights_were_carried_over() -> None:
    one, other = pairs.gpt("gelu", carried=False)
    difference = compare_models(one, other, INPUTS[pairs.gpt]).first_difference
    assert difference is not None
    assert str(difference.other) == "gelu in `blocks.1` (PlainBlock)"


class Cut(nn.Module):
    """Gives the right output, and cuts a gradient off."""

    def __init__(self, cuts: bool) -> None:
        super().__init__()
        self.a, self.b, self.cuts = nn.Linear(4, 4), nn.Linear(4, 4), cuts

    def forward(self, x: Tensor) -> Tensor:
        hidden = self.a(x)
        return self.b(hidden.detach() if self.cuts else hidden) + hidden


def test_equal_outputs_with_other_gradients_are_different() -> None:
    one, other = Cut(False), Cut(True)
    other.load_state_dict(one.state_dict())
    difference = compare_models(one, other, (3, 4)).first_difference
    assert difference is not None
    assert difference.stage == "gradient"
    assert "`a.weight`" in difference.reasons[0]


def test_dropout_and_chance_are_removed_in_training() -> None:
    one, other = (nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.BatchNorm1d(4)) for _ in range(2))
    other.load_state_dict(one.state_dict())
    assert compare_models(one, other, (6, 4), training=True).is_equal


def test_models_and_random_numbers_are_left_alone() -> None:
    model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)).train()
    state = torch.get_rng_state()
    compare_models(model, model, (6, 4), training=True)
    assert torch.equal(state, torch.get_rng_state())
    assert model.training
    assert model[0].weight.dtype == torch.float32
    assert model[0].weight.grad is None
    assert int(model[1].num_batches_tracked) == 0


class Single(nn.Module):
    """Mixes in a table of single precision, and so fails in double."""

    def forward(self, x: Tensor) -> Tensor:
        return x @ torch.eye(4, dtype=torch.float32)


def test_a_model_that_fails_in_double_precision_is_compared_in_its_own() -> None:
    found = compare_models(Single(), Single(), (2, 4))
    assert found.is_equal
    assert "own types" in found.notes[0]


def test_the_result_is_plain_data() -> None:
    found = compare_models(*pairs.lstm("gates"), INPUTS[pairs.lstm])
    document = json.loads(json.dumps(found.to_json()))
    assert document["equal"] is False
    assert document["first_difference"]["other"]["operation"] == "tanh"
    assert found.table()[-1]["second"] == ""


def test_matches_are_written_and_read_again_with_corrections(tmp_path: Path) -> None:
    file = tmp_path / "matches.txt"
    one, other = pairs.convolution()
    found = compare_models(one, other, INPUTS[pairs.convolution], matches=file)
    assert found.is_equal
    assert "fc = classify" in file.read_text()
    file.write_text("conv1 = stem\n")
    difference = compare_models(one, other, INPUTS[pairs.convolution], matches=file).first_difference
    assert difference is not None
    assert (str(difference.one), str(difference.other)) == ("conv2d in `conv1` (Conv2d)", "conv2d in `stem` (Conv2d)")


def test_a_file_of_comments_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "matches.txt"
    file.write_text("# mine\n")
    compare_models(nn.ReLU(), nn.ReLU(), (1, 2), matches=file)
    assert file.read_text() == "# mine\n"


@pytest.mark.parametrize(
    ("one", "other", "inputs", "message"),
    [
        (nn.Linear(4, 2), nn.Linear(5, 2), (1, 4), "second fails on this input"),
        (nn.Linear(4, 2), nn.Linear(4, 3), (1, 4), "no output of the two models has the same size"),
        (nn.Linear(4, 2), nn.Linear(4, 2), None, "no inputs"),
        (nn.Linear(4, 2), nn.Linear(4, 2), {"input": 3}, "holds no tensor"),
        (nn.Linear(4, 2), "linear", (1, 4), "is no module"),
    ],
)
def test_bad_input_is_told(one: object, other: object, inputs: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        compare_models(one, other, inputs)


def test_a_tolerance_below_zero_is_told() -> None:
    with pytest.raises(UsageError, match="above 0"):
        compare_models(nn.Linear(4, 2), nn.Linear(4, 2), (1, 4), tolerance=-1.0)


class Scaled(nn.Module):
    """A weight that is a single number, under a name of its own."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.inner, self.name = nn.Linear(4, 4), name
        self.register_parameter(name, nn.Parameter(torch.tensor(2.6)))

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x) * self.get_parameter(self.name).exp()


@pytest.mark.parametrize("is_the_same", [True, False])
def test_weights_that_are_single_numbers_are_carried_over_and_compared(is_the_same: bool) -> None:
    one, other = Scaled("scale"), Scaled("temperature")
    other.inner.load_state_dict(one.inner.state_dict())
    if not is_the_same:
        nn.init.zeros_(other.get_parameter("temperature"))
    found = compare_models(one, other, (3, 4), port=None if is_the_same else True)
    assert found.is_equal, str(found)
    assert found.compared == "1 output and 3 gradients"
