"""Loss calls: recognised with any arguments, and described once for each line."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

import stetho
from stetho.capture.torch.losses.losses import LOSSES

from ..conftest import batch, column, mlp, sgd, train


@pytest.fixture
def model():
    return mlp()


@pytest.fixture
def optimizer(model):
    return sgd(model)


def step(model, optimizer, loss, size=6):
    x, y = batch(size)
    optimizer.zero_grad()
    loss(model(x), y).backward()
    optimizer.step()


def weights():
    return torch.tensor([1.0, 2.0])


CALLS = {
    "positional": lambda said, right: functional.cross_entropy(said, right),
    "keywords": lambda said, right: functional.cross_entropy(target=right, input=said),
    "mixed": lambda said, right: functional.cross_entropy(said, target=right, reduction="mean"),
    "module": lambda said, right: nn.CrossEntropyLoss()(said, right),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_call_is_recognised_however_its_arguments_are_given(record, model, optimizer, call):
    run = record(lambda: step(model, optimizer, CALLS[call]), model, optimizer)
    assert column(run, "loss_call", "batches") == ["cross_entropy"]
    assert column(run, "counted", "batches") == [6]
    assert column(run, "loss", "batches") == column(run, "loss")
    (loss,) = run.model["losses"]
    assert (loss["input"], loss["target"], loss["reduction"]) == ("float32[6, 2]", "int64[6]", "mean")
    assert loss["phase"] == "train"


def test_settings_are_described(record, model, optimizer):
    def loss(said, right):
        return functional.cross_entropy(said, right, weight=weights(), label_smoothing=np.float32(0.5), ignore_index=7)

    (found,) = record(lambda: step(model, optimizer, loss), model, optimizer).model["losses"]
    assert (found["weight"], found["label_smoothing"], found["ignore_index"]) == ([1.0, 2.0], 0.5, 7)


def test_the_weight_of_positive_labels_is_described(record, model, optimizer):
    def loss(said, right):
        return functional.binary_cross_entropy_with_logits(said[:, 0], right.float(), pos_weight=torch.tensor(0.0))

    (found,) = record(lambda: step(model, optimizer, loss), model, optimizer).model["losses"]
    assert (found["weight"], found["pos_weight"]) == (None, [0.0])


def test_the_same_line_is_described_once(record, model, optimizer):
    run = record(lambda: train(model, optimizer, 5), model, optimizer)
    (loss,) = run.model["losses"]
    file, _, line = loss["line"].rpartition(":")
    assert "cross_entropy" in Path(file).read_text().splitlines()[int(line) - 1]


@pytest.mark.parametrize(
    ("name", "loss"),
    [
        ("mse_loss", lambda said, right: nn.MSELoss()(said[:, 0], right.float())),
        ("nll_loss", lambda said, right: functional.nll_loss(said.log_softmax(1), right)),
        ("l1_loss", lambda said, right: functional.l1_loss(said[:, 0], right.float())),
        ("kl_div", lambda said, _: functional.kl_div(said.log_softmax(1), torch.full_like(said, 0.5), reduction="sum")),
        ("huber_loss", lambda said, right: functional.huber_loss(said[:, 0], right.float(), delta=2.0)),
        (
            "binary_cross_entropy_with_logits",
            lambda said, right: functional.binary_cross_entropy_with_logits(said[:, 0], right.float()),
        ),
        ("triplet_margin_loss", lambda said, _: functional.triplet_margin_loss(said, said + 1, said - 1)),
        ("margin_ranking_loss", lambda s, right: functional.margin_ranking_loss(s[:, 0], s[:, 1], right * 2.0 - 1)),
    ],
)
def test_other_losses_are_recognised(record, model, optimizer, name, loss):
    run = record(lambda: step(model, optimizer, loss), model, optimizer)
    assert column(run, "loss_call", "batches") == [name]
    assert [one["call"] for one in run.model["losses"]] == [name]
    assert column(run, "loss", "batches") == pytest.approx(column(run, "loss"))


def test_a_loss_without_reduction_has_no_single_value(record, model, optimizer):
    def loss(said, right):
        return functional.cross_entropy(said, right, reduction="none").mean()

    run = record(lambda: step(model, optimizer, loss), model, optimizer)
    assert column(run, "loss", "batches") == [None]
    assert column(run, "correct", "batches")[0] is not None


def test_a_loss_written_by_hand_is_seen_by_its_backward_pass_alone(record, model, optimizer):
    run = record(lambda: step(model, optimizer, lambda said, _: said.square().mean()), model, optimizer)
    assert column(run, "loss_call", "batches") == [None]
    assert column(run, "loss")[0] > 0
    assert run.model["losses"] == []


def test_of_several_losses_of_a_pass_the_first_counts(record, model, optimizer):
    def loss(said, right):
        return functional.cross_entropy(said, right) + functional.mse_loss(said[:, 0], right.float())

    run = record(lambda: step(model, optimizer, loss), model, optimizer)
    assert column(run, "loss_call", "batches") == ["cross_entropy"]
    assert [one["call"] for one in run.model["losses"]] == ["cross_entropy", "mse_loss"]


def test_an_error_of_a_loss_is_the_programs(record, model, optimizer):
    def program():
        with pytest.raises(IndexError, match="out of bounds"):
            functional.cross_entropy(model(batch()[0]), torch.full((5,), 9))
        with pytest.raises(TypeError):
            functional.cross_entropy()
        train(model, optimizer, 1)

    assert column(record(program, model, optimizer), "step") == [1]


def test_losses_are_what_they_were_afterwards(tmp_path):
    before = {name: getattr(functional, name) for name in LOSSES}
    with stetho.watch(out=tmp_path):
        assert functional.cross_entropy is not before["cross_entropy"]
        assert functional.cross_entropy.__name__ == "cross_entropy"
    assert {name: getattr(functional, name) for name in LOSSES} == before


def test_the_loss_of_a_module_says_where_the_module_was_made(record):
    def program():
        model = mlp()
        optimizer = sgd(model)
        criterion = nn.CrossEntropyLoss()
        for loss in (criterion, functional.cross_entropy):
            x, y = batch()
            loss(model(x), y).backward()
            optimizer.step()

    losses = record(program).model["losses"]
    made = [loss.get("constructed") for loss in losses]
    lines = Path(__file__).read_text().splitlines()
    assert lines[int(made[0].rpartition(":")[2]) - 1].strip() == "criterion = nn.CrossEntropyLoss()"


def test_a_loss_without_values_is_nothing_to_look_at(record, model, optimizer):
    def loss(said, right):
        # What a framework does to learn the shape of a loss.
        functional.cross_entropy(said.detach().to("meta"), right.to("meta"))
        return functional.cross_entropy(said, right)

    run = record(lambda: step(model, optimizer, loss), model, optimizer)
    assert len(run.model["losses"]) == 1
    assert run.info.get("capture_error") is None


def test_a_call_inside_vmap_has_no_values_and_belongs_to_no_pass(record, model, optimizer):
    def per_sample(weights, x, y):
        return functional.cross_entropy(torch.func.functional_call(model, weights, (x[None],)), y[None])

    def body():
        x, y = batch()
        # A pass outside the transform comes first: its loss is awaited, and the one inside vmap is another's.
        with torch.no_grad():
            model(x)
        weights = {name: each.detach() for name, each in model.named_parameters()}
        torch.func.vmap(torch.func.grad(per_sample), in_dims=(None, 0, 0))(weights, x, y)
        step(model, optimizer, functional.cross_entropy)

    run = record(body, model, optimizer)
    assert column(run, "loss_call", "batches") == [None, "cross_entropy"]
