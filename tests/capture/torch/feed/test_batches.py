"""Rows of batches: one for each pass that is looked at, with what it was fed."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from stetho.capture.torch.feed import batches

from ..conftest import batch, column, evaluate, mlp, sgd, train


@pytest.fixture
def model():
    return mlp()


@pytest.fixture
def optimizer(model):
    return sgd(model)


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))

    def forward(self, x=1.0):
        return self.weight * x


def step(model, optimizer, *inputs):
    optimizer.zero_grad()
    model(*inputs).square().mean().backward()
    optimizer.step()


def first_row(run):
    return run.table("batches").to_pylist()[0]


def test_a_batch_is_described(record, model, optimizer):
    x = torch.arange(12.0).reshape(3, 4)
    x[0, 1] = torch.nan
    row = first_row(record(lambda: step(model, optimizer, x), model, optimizer))
    assert (row["step"], row["phase"], row["model"], row["loader"]) == (1, "train", 0, None)
    assert (row["size"], row["shape"], row["dtype"]) == (3, [3, 4], "float32")
    assert (row["min"], row["max"], row["nan"], row["zeros"]) == (0.0, 11.0, 1, 1)
    assert row["mean"] == pytest.approx(65 / 11)
    assert row["feature_mean"][2:] == [6.0, 7.0]
    assert row["feature_std"][3] == pytest.approx(x[:, 3].std(correction=0).item())
    assert (row["training"], row["grad"]) == (True, True)


@pytest.mark.parametrize(
    ("shape", "features"), [((2, 3, 5, 5), 3), ((2, 7, 4), 4), ((6, 4), 4), ((2, 3, 2, 2, 2), 3), ((4,), None)]
)
def test_features_are_channels_or_the_last_axis(record, shape, features):
    model = nn.Sequential(nn.Flatten(0), nn.LazyLinear(2)) if len(shape) > 1 else nn.Linear(4, 2)
    x = torch.randn(shape)
    model(x)
    optimizer = sgd(model)
    row = first_row(record(lambda: step(model, optimizer, x), model, optimizer))
    assert (len(row["feature_mean"]) if row["feature_mean"] is not None else None) == features
    if len(shape) == 4:
        assert row["feature_mean"] == pytest.approx(x.mean((0, 2, 3)).tolist(), rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("dtype", [torch.int64, torch.uint8, torch.bool, torch.bfloat16, torch.float64])
def test_inputs_of_any_type_are_described(record, dtype):
    class Cast(nn.Linear):
        def forward(self, x):
            return super().forward(x.float())

    model = Cast(4, 2)
    optimizer = sgd(model)
    row = first_row(record(lambda: step(model, optimizer, torch.ones(3, 4, dtype=dtype)), model, optimizer))
    assert (row["dtype"], row["mean"]) == (str(dtype).removeprefix("torch."), 1.0)
    assert row["hash"] is not None


def test_complex_inputs_do_no_harm(record):
    class Absolute(nn.Linear):
        def forward(self, x):
            return super().forward(x.abs())

    model = Absolute(4, 2)
    optimizer = sgd(model)
    x = torch.ones(3, 4, dtype=torch.complex64)
    row = first_row(record(lambda: step(model, optimizer, x), model, optimizer))
    assert (row["dtype"], row["mean"], row["hash"]) == ("complex64", None, None)


def test_a_model_without_inputs_has_a_row_without_facts(record):
    model = Scaled()
    optimizer = sgd(model)
    run = record(lambda: step(model, optimizer), model, optimizer)
    assert first_row(run)["size"] is None
    assert column(run, "batch_size") == [None]


def test_a_single_number_is_a_batch_of_one(record):
    model = Scaled()
    optimizer = sgd(model)
    row = first_row(record(lambda: step(model, optimizer, torch.tensor(3.0)), model, optimizer))
    assert (row["size"], row["shape"], row["mean"]) == (1, [], 3.0)


def test_equal_batches_have_equal_hashes(record, model, optimizer):
    x, other = torch.randn(50, 4), torch.randn(50, 4)

    def program():
        for each in (x, other, x.clone(), x[:25]):
            step(model, optimizer, each)

    hashes = column(record(program, model, optimizer), "hash", "batches")
    assert hashes[0] == hashes[2]
    assert len(set(hashes)) == 3


def test_the_first_samples_have_hashes_of_their_own(record, model, optimizer):
    x = torch.randn(3, 4)
    x[2] = x[0]
    row = first_row(record(lambda: step(model, optimizer, x), model, optimizer))
    assert row["samples"][0] == row["samples"][2] != row["samples"][1]


def test_the_spread_of_outputs_is_that_between_samples(record):
    model = nn.Linear(4, 3)
    nn.init.zeros_(model.weight)
    optimizer = sgd(model)
    row = first_row(record(lambda: step(model, optimizer, torch.randn(8, 4)), model, optimizer))
    assert row["output_spread"] == pytest.approx(0.0, abs=1e-7), "every sample gets the same answer"
    assert row["output_std"] == pytest.approx(model.bias.detach().std(correction=0).item(), rel=0.5)


def test_targets_are_described(record, model, optimizer):
    def program():
        functional.cross_entropy(model(torch.randn(4, 4)), torch.tensor([0, 1, 1, 1])).backward()
        optimizer.step()

    row = first_row(record(program, model, optimizer))
    assert (row["target_min"], row["target_max"], row["target_mean"]) == (0.0, 1.0, 0.75)


def test_moments_are_taken_densely_at_first_and_rarely_later(record, model, optimizer, monkeypatch):
    monkeypatch.setattr(batches, "DENSE", 3)
    run = record(lambda: train(model, optimizer, 22), model, optimizer)
    taken = [
        step
        for step, mean in zip(column(run, "step", "batches"), column(run, "mean", "batches"), strict=True)
        if mean is not None
    ]
    assert taken == [1, 2, 3, 10, 20]


def test_a_training_pass_after_an_evaluation_has_its_own_row(record, model, optimizer):
    def program():
        for _ in range(3):
            train(model, optimizer, 1)
            evaluate(model, 2)

    run = record(program, model, optimizer)
    assert column(run, "phase", "batches") == ["train", "eval", "eval"] * 3
    assert column(run, "step", "batches") == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert column(run, "loss_call", "batches") == ["cross_entropy"] * 9
    trained = [row["loss"] for row in run.table("batches").to_pylist() if row["phase"] == "train"]
    assert trained == column(run, "loss")


def test_another_pass_over_the_same_batch_adds_no_row_and_no_samples(record, model, optimizer):
    def program():
        x, _ = batch(6)
        (model(x).sum() + model(x).square().sum()).backward()
        optimizer.step()

    run = record(program, model, optimizer)
    assert column(run, "batch_size") == [6]
    assert len(column(run, "step", "batches")) == 1


def test_steps_of_the_clock_tier_have_no_rows(record, model, optimizer, monkeypatch):
    monkeypatch.setattr("stetho.capture.budget.Budget.choose", lambda _, step: "full" if step == 1 else "clock")
    run = record(lambda: train(model, optimizer, 3, size=7), model, optimizer)
    assert column(run, "step", "batches") == [1]
    assert column(run, "batch_size") == [7, 7, 7]
    assert all(loss is not None for loss in column(run, "loss"))


def test_steps_of_the_cheap_tier_have_rows_without_moments(record, model, optimizer):
    run = record(lambda: train(model, optimizer, 2), model, optimizer, every=2)
    assert column(run, "tier") == ["full", "cheap"]
    cheap = run.table("batches").to_pylist()[1]
    assert (cheap["step"], cheap["mean"]) == (2, None)
    assert cheap["hash"] is not None
    assert cheap["counted"] == 5


def test_a_pass_in_training_mode_whose_answers_are_only_counted_is_an_evaluation(record):
    model = mlp()
    optimizer = sgd(model)

    def program():
        for _ in range(2):
            train(model, optimizer, 2, size=5)
            for _ in range(2):
                x, y = batch(9)
                (model(x).argmax(1) == y).sum()
        train(model, optimizer, 1, size=5)

    run = record(program, model, optimizer)
    rows = run.table("batches").to_pylist()
    assert [(row["step"], row["size"]) for row in rows if row["phase"] == "train"] == [(n, 5) for n in range(1, 6)]
    evaluated = [row for row in rows if row["phase"] == "eval"]
    found = [(row["step"], row["counted"], row["training"]) for row in evaluated]
    assert found == [(2, 9, True)] * 2 + [(4, 9, True)] * 2
    assert run.table("steps").column("batch_size").to_pylist() == [5] * 5


class Quantised(nn.Module):
    """Makes a term of its loss of what lies inside."""

    def __init__(self):
        super().__init__()
        self.inner, self.outer = nn.Linear(4, 4), nn.Linear(4, 1)

    def forward(self, x):
        inner = self.inner(x)
        return self.outer(inner), functional.mse_loss(inner, inner.detach().round())


def test_the_loss_of_the_answers_counts_and_not_the_term_that_the_model_makes_inside(record):
    model = Quantised()
    optimizer = sgd(model)

    def train():
        output, term = model(torch.randn(3, 4))
        (functional.l1_loss(output, torch.ones(3, 1)) + term).backward()
        optimizer.step()

    row = first_row(record(train, model, optimizer))
    assert (row["loss_call"], row["target_mean"]) == ("l1_loss", 1.0)


def test_a_loss_that_is_only_made_inside_counts(record):
    model = Quantised()
    optimizer = sgd(model)

    def train():
        model(torch.randn(3, 4))[1].backward()
        optimizer.step()

    assert first_row(record(train, model, optimizer))["loss_call"] == "mse_loss"
