"""Parameters around an update: the numbers are those of the tensors, whatever the optimizer does with them."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from stetho.capture.torch.updates import parameters

from ..conftest import batch, column, mlp, names, sgd, stat, train


@pytest.fixture
def model():
    return mlp()


def rms(tensor):
    return tensor.detach().double().square().mean().sqrt().item()


def test_values_gradients_and_updates_are_those_of_the_step(record, model):
    optimizer = sgd(model, lr=0.5)
    kept = {}

    def program():
        weight = model[0].weight
        kept["before"] = weight.detach().clone()
        x, y = batch()
        functional.cross_entropy(model(x), y).backward()
        kept["gradients"] = [parameter.grad.clone() for parameter in model.parameters()]
        optimizer.step()
        kept["after"] = weight.detach().clone()

    run = record(program, model, optimizer)
    change = kept["after"] - kept["before"]
    assert stat(run, "param.rms", "0.weight") == pytest.approx(rms(kept["before"]), rel=1e-5)
    assert stat(run, "grad.rms", "0.weight") == pytest.approx(rms(kept["gradients"][0]), rel=1e-5)
    assert stat(run, "update.rms", "0.weight") == pytest.approx(rms(change), rel=1e-5)
    assert stat(run, "update.ratio", "0.weight") == pytest.approx(rms(change) / rms(kept["before"]), rel=1e-4)
    norm = torch.cat([gradient.flatten() for gradient in kept["gradients"]]).norm().item()
    assert column(run, "grad_norm") == pytest.approx([norm], rel=1e-5)


def test_the_norm_of_the_gradient_is_the_same_in_a_cheap_step(record, model):
    optimizer = sgd(model, lr=0.0)
    x, y = batch()

    def program():
        for _ in range(3):
            optimizer.zero_grad()
            functional.cross_entropy(model(x), y).backward()
            optimizer.step()

    run = record(program, model, optimizer, every=2)
    assert column(run, "tier") == ["full", "cheap", "full"]
    norms = column(run, "grad_norm")
    assert norms[1] == pytest.approx(norms[0], rel=1e-5)
    assert run.values("grad.rms", "0.weight")[0].tolist() == [1, 3]


@pytest.mark.parametrize("every", [1, 2])
def test_a_gradient_that_is_not_finite_makes_no_number_of_the_norm(record, model, every):
    optimizer = sgd(model)

    def program():
        train(model, optimizer, 1)
        model(batch()[0]).sum().backward()
        model[0].weight.grad[0, 0] = torch.nan
        optimizer.step()

    norm = column(record(program, model, optimizer, every=every), "grad_norm")[1]
    assert norm != norm


def test_a_parameter_without_a_gradient_has_no_row_for_it(record, model):
    optimizer = sgd(model)

    def program():
        model[0](batch()[0]).sum().backward()
        optimizer.step()

    run = record(program, model, optimizer)
    assert names(run, "grad") == ["0.weight", "0.bias"]
    assert stat(run, "update.absmax", "2.weight") == 0


def test_a_step_without_any_gradient_has_no_norm(record, model):
    optimizer = sgd(model)
    run = record(optimizer.step, model, optimizer)
    assert column(run, "grad_norm") == [None]


def test_an_update_of_nothing_has_no_ratio(record, model):
    optimizer = sgd(model)
    nn.init.zeros_(model[0].bias)
    run = record(lambda: train(model, optimizer, 1), model, optimizer)
    ratio = stat(run, "update.ratio", "0.bias")
    assert ratio != ratio


def test_the_state_of_the_optimizer_is_measured_now_and_then(record, model, monkeypatch):
    monkeypatch.setattr(parameters, "STATE_EVERY", 2)
    optimizer = torch.optim.Adam(model.parameters())
    run = record(lambda: train(model, optimizer, 5), model, optimizer)
    assert run.values("state.exp_avg.rms", "0.weight")[0].tolist() == [1, 3, 5]
    assert run.values("state.exp_avg_sq.min", "0.weight")[1].min() >= 0
    assert {one.role for one in run.series if one.role.startswith("state")} == {"state.exp_avg", "state.exp_avg_sq"}


def test_a_large_parameter_is_sampled_for_its_update_alone(record, monkeypatch):
    monkeypatch.setattr(parameters, "LARGEST_UPDATE", 100)
    model = nn.Linear(4, 80)
    optimizer = sgd(model)
    run = record(lambda: train(model, optimizer, 1), model, optimizer)
    assert stat(run, "param.count", "weight") == stat(run, "grad.count", "weight") == 320
    assert stat(run, "update.count", "weight") == 128
    assert stat(run, "update.count", "bias") == 80


def test_parameters_that_come_later_are_measured_from_then_on(record, model):
    optimizer = sgd(model)

    def program():
        train(model, optimizer, 2)
        model.append(nn.Linear(2, 2))
        optimizer.add_param_group({"params": list(model[3].parameters())})
        train(model, optimizer, 2)

    run = record(program, model, optimizer)
    assert run.values("param.rms", "3.weight")[0].tolist() == [3, 4]
    assert run.values("update.rms", "0.weight")[0].tolist() == [1, 2, 3, 4]


def test_a_tied_parameter_is_measured_once(record):
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(6, 4)
            self.out = nn.Linear(4, 6, bias=False)
            self.out.weight = self.embed.weight

        def forward(self, x):
            return self.out(self.embed(x))

    model = Tied()
    optimizer = sgd(model)

    def program():
        model(torch.tensor([1, 2])).sum().backward()
        optimizer.step()

    run = record(program, model, optimizer)
    assert names(run, "param") == ["embed.weight"]
    assert stat(run, "param.calls", "embed.weight") == 1
    assert run.model["models"][0]["parameters"][0]["shared_with"] == ["out.weight"]


def test_sparse_gradients_are_measured_by_their_values(record):
    model = nn.Embedding(10, 4, sparse=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def program():
        for _ in range(2):
            optimizer.zero_grad()
            model(torch.tensor([1, 1, 3])).sum().backward()
            optimizer.step()

    run = record(program, model, optimizer, every=2)
    assert stat(run, "grad.count", "weight") == 8
    assert stat(run, "grad.max", "weight") == 2
    full, cheap = column(run, "grad_norm")
    assert full == cheap == pytest.approx((4 * (2**2 + 1**2)) ** 0.5)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64, torch.complex64])
def test_parameters_of_any_type_are_measured(record, dtype):
    weight = nn.Parameter(torch.ones(4, 3, dtype=dtype).t())
    optimizer = torch.optim.SGD([weight], lr=0.1)

    def program():
        (weight * 2).abs().sum().backward()
        optimizer.step()

    run = record(program, None, optimizer, every=1)
    (name,) = names(run, "update")
    assert stat(run, "update.absmax", name) == pytest.approx(0.2, rel=0.02)


def test_parameters_of_a_kind_of_their_own_are_left_alone_and_that_is_said(record):
    class Own(torch.Tensor):
        pass

    weight = nn.Parameter(torch.ones(3).as_subclass(Own))
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD([weight, *model.parameters()], lr=0.1)

    def program():
        (model(batch()[0]).sum() + weight.sum()).backward()
        optimizer.step()

    run = record(program, model, optimizer)
    assert names(run, "param") == ["weight", "bias"]
    assert [note["kind"] for note in run.notes] == ["unseen"]


def test_gradients_are_those_after_clipping(record, model):
    optimizer = sgd(model)

    def program():
        train(model, optimizer, 1)
        (model(batch()[0]).sum() * 100).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()

    run = record(program, model, optimizer)
    assert column(run, "grad_norm")[1] == pytest.approx(0.5, rel=1e-4)
