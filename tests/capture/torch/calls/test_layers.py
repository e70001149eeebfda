"""What layers give back: every tensor in it, as it is at that moment, and its gradient."""

from dataclasses import dataclass

import pytest
import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from stetho.capture.torch.calls.layers import on_gradient

from ..conftest import batch, mlp, names, sgd, stat, train


@dataclass
class Output:
    logits: Tensor
    hidden: Tensor


class Nested(nn.Module):
    """Gives back tensors in all kinds of containers."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind
        self.inner = nn.Linear(4, 2)

    def forward(self, x):
        y, z = self.inner(x), self.inner(x * 2)
        return {"tuple": (y, z), "dict": {"a": y, "b": [z, 3]}, "dataclass": Output(y, z)}[self.kind]


@pytest.mark.parametrize(
    ("kind", "paths"), [("tuple", ["[0]", "[1]"]), ("dict", ["[a]", "[b][0]"]), ("dataclass", ["[logits]", "[hidden]"])]
)
def test_nested_outputs_are_recorded_by_their_path(record, kind, paths):
    model = Nested(kind)
    optimizer = sgd(model)

    def program():
        output = model(batch()[0])
        first = {"tuple": lambda: output[0], "dict": lambda: output["a"], "dataclass": lambda: output.logits}[kind]()
        first.sum().backward()
        optimizer.step()

    run = record(program, model, optimizer)
    assert names(run) == ["inner", *paths]
    assert stat(run, "act.calls", "inner") == 2
    assert paths[0] in names(run, "act_grad")
    assert paths[1] not in names(run, "act_grad"), "nothing came back through it"


class Chunked(nn.Module):
    """Gives back several results of one operation."""

    def __init__(self):
        super().__init__()
        self.inner = nn.LSTM(4, 6)

    def forward(self, x):
        # Time first: output and state come out of one node of the graph.
        return self.inner(x[None])[1][0][0].chunk(2, -1)


def test_results_of_an_operation_that_nobody_uses_get_no_gradient_and_are_no_trouble(record):
    model = Chunked()
    optimizer = sgd(model)

    def program():
        for _ in range(60):
            optimizer.zero_grad()
            model(batch()[0])[0].sum().backward()
            optimizer.step()

    run = record(program, model, optimizer)
    assert "[0]" in names(run, "act_grad")
    assert "[1]" not in names(run, "act_grad")


def test_a_layer_that_works_in_place_is_measured_after_its_work(record):
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(inplace=True), nn.Linear(8, 2))
    optimizer = sgd(model)
    run = record(lambda: train(model, optimizer, 1, size=20), model, optimizer)
    assert stat(run, "act.min", "0") < 0
    assert stat(run, "act.min", "1") == 0
    assert stat(run, "act.zeros", "1") > 0


def test_a_container_that_changes_its_last_output_in_place_is_measured_anew(record):
    class Clamped(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.Linear(4, 8)

        def forward(self, x):
            return self.inner(x).clamp_(min=0)

    model = Clamped()
    optimizer = sgd(model)

    def program():
        model(torch.randn(20, 4)).sum().backward()
        optimizer.step()

    run = record(program, model, optimizer)
    assert stat(run, "act.min", "inner") < 0 == stat(run, "act.min", "")


def test_a_container_has_the_numbers_of_its_last_layer(record):
    model = nn.Sequential(nn.Linear(4, 4), nn.Sequential(nn.Linear(4, 2)))
    optimizer = sgd(model)
    run = record(lambda: train(model, optimizer, 2), model, optimizer)
    for measure in ("act.rms", "act.calls", "act_grad.rms"):
        assert run.values(measure, "1.0")[1].tolist() == run.values(measure, "1")[1].tolist()
        assert run.values(measure, "1")[1].tolist() == run.values(measure, "")[1].tolist()


def test_numbers_are_those_of_the_tensor(record):
    model = mlp()
    optimizer = sgd(model)
    kept = {}

    def program():
        x, y = batch()
        output = model(x)
        output.retain_grad()
        kept["output"], kept["loss"] = output, nn.functional.cross_entropy(output, y)
        kept["loss"].backward()
        optimizer.step()

    run = record(program, model, optimizer)
    output = kept["output"]
    assert stat(run, "act.mean", "") == pytest.approx(output.mean().item(), rel=1e-5)
    assert stat(run, "act.std", "") == pytest.approx(output.std(correction=0).item(), rel=1e-4)
    assert stat(run, "act_grad.rms", "") == pytest.approx(output.grad.square().mean().sqrt().item(), rel=1e-5)
    assert stat(run, "act_grad.absmax", "") == pytest.approx(output.grad.abs().max().item(), rel=1e-6)


def test_outputs_that_are_no_numbers_of_a_layer_are_left_out(record):
    class Choosing(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.Linear(4, 2)

        def forward(self, x):
            y = self.inner(x)
            return y, y.argmax(1), y > 0, "text", None

    model = Choosing()
    optimizer = sgd(model)

    def program():
        model(batch()[0])[0].sum().backward()
        optimizer.step()

    assert names(record(program, model, optimizer)) == ["inner", "[0]"]


@pytest.mark.parametrize(
    ("patterns", "expected"), [("0", ["0"]), ("[12]", ["1", "2"]), (["0", "2"], ["0", "2"]), ("x*", [])]
)
def test_only_layers_that_match_are_measured(record, patterns, expected):
    model = mlp()
    optimizer = sgd(model)
    run = record(lambda: train(model, optimizer, 1), model, optimizer, layers=patterns)
    assert names(run) == expected
    assert sorted(names(run, "act_grad")) == expected
    assert {name.partition(".")[0] for name in names(run, "param")} == set(expected) - {"1"}
    assert [layer["name"] for layer in run.model["models"][0]["layers"]] == ["", "0", "1", "2"]


def test_gradients_of_activations_can_be_left_out(record):
    model = mlp()
    optimizer = sgd(model)
    run = record(lambda: train(model, optimizer, 1), model, optimizer, gradients="parameters")
    assert names(run, "act_grad") == []
    assert names(run, "grad") == ["0.weight", "0.bias", "2.weight", "2.bias"]


def test_nan_and_infinity_are_counted(record):
    class Broken(nn.Linear):
        def forward(self, x):
            y = super().forward(x)
            return torch.where(torch.arange(y.numel()).reshape(y.shape) == 3, torch.nan, y) / (x.sum() * 0 + 1)

    model = Broken(4, 2)
    optimizer = sgd(model)
    run = record(lambda: train(model, optimizer, 1), model, optimizer)
    assert stat(run, "act.nan", "") == 1
    assert stat(run, "act_grad.nan", "") > 0


def test_complex_and_half_precision_outputs_are_measured(record):
    class Wave(nn.Linear):
        def forward(self, x):
            return torch.fft.rfft(super().forward(x)), super().forward(x).bfloat16()

    model = Wave(4, 4)
    optimizer = sgd(model)

    def program():
        wave, half = model(batch()[0])
        (wave.abs().sum() + half.float().sum()).backward()
        optimizer.step()

    run = record(program, model, optimizer)
    assert names(run) == ["[0]", "[1]"]
    assert names(run, "act_grad") == ["[1]", "[0]"] or names(run, "act_grad") == ["[0]", "[1]"]


def test_a_hook_on_a_gradient_is_called_beside_the_programs_own_and_removed_with_none_of_them():
    heard = []
    tensor = torch.ones(2, requires_grad=True) * 2
    on_gradient(tensor, lambda gradient: heard.append(("ours", gradient.tolist())))
    handle = tensor.register_hook(lambda gradient: heard.append(("theirs", gradient.tolist())))
    tensor.sum().backward(retain_graph=True)
    assert heard == [("ours", [1.0, 1.0]), ("theirs", [1.0, 1.0])]
    handle.remove()
    heard.clear()
    tensor.sum().backward()
    assert heard == [("ours", [1.0, 1.0])]


def test_a_mode_of_the_program_does_not_hear_how_a_hook_is_hung_up():
    heard = []

    class Listener(TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            heard.append(function)
            return function(*args, **(kwargs or {}))

    tensor = torch.ones(2, requires_grad=True) * 2
    with Listener():
        on_gradient(tensor, lambda _: None)
    assert heard == []
    assert len(tensor._backward_hooks) == 1
