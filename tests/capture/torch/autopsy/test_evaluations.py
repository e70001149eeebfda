"""NaN where nothing is learnt: named with its operation where it does harm, and passed over where the program copes."""

import sys

import pytest
import torch
from torch import nn
from torch.nn import functional

import stetho

from .numerics import X, Y, mlp

BAD = torch.zeros(6, 4)


def faults(run):
    return run.model.get("probes", {}).get("autopsy", {}).get("faults", [])


class Unit(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 3)

    def forward(self, x):
        return self.out(x / x.norm(dim=1, keepdim=True))


def trained(model, evaluate, epochs=2):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

    def program():
        for _ in range(epochs):
            model.train()
            for _ in range(2):
                optimizer.zero_grad()
                functional.cross_entropy(model(X), Y).backward()
                optimizer.step()
            model.eval()
            evaluate(model)

    return program


def by_inference(model):
    with torch.inference_mode():
        functional.cross_entropy(model(BAD), Y).item()


def by_no_grad(model):
    with torch.no_grad():
        functional.cross_entropy(model(BAD), Y)


def with_gradients(model):
    functional.cross_entropy(model(BAD), Y)


@pytest.mark.parametrize("evaluate", [by_inference, by_no_grad, with_gradients])
def test_a_loss_of_an_evaluation_is_told_with_its_operation(record, evaluate):
    (found,) = faults(record(trained(Unit(), evaluate), None, None, quiet=True))
    line = Unit.forward.__code__.co_firstlineno + 1
    assert (found["trigger"], found["victim"], found["operation"]) == ("evaluation", "loss", "div")
    assert found["line"] == f"{__file__}:{line}"
    assert (found["step"], found["faithful"], found["expression"]) == (2, True, "0 / 0")


def test_a_metric_written_by_hand_is_told(record):
    def evaluate(model):
        with torch.no_grad():
            chances = (model(X) * 1e4).softmax(1)
            (chances * chances.log()).sum()

    (found,) = faults(record(trained(mlp(), evaluate), None, None, quiet=True))
    assert (found["victim"], found["expression"]) == ("value", "log(0)")


def test_an_infinite_loss_is_told_where_training_has_its_own_from_the_same_line(record):
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

    def loss_of(scores):
        return -scores.softmax(1)[range(6), Y].log().mean()

    def program():
        for _ in range(3):
            loss_of(model(X)).backward()
            optimizer.step()
        with torch.no_grad():
            loss_of(model(X) * 1e4)

    (found,) = faults(record(program, None, None, quiet=True))
    assert (found["victim"], found["expression"]) == ("loss", "log(0)")


def test_an_output_is_told_where_nothing_else_shows_it(record):
    def evaluate(model):
        with torch.no_grad():
            model(BAD).argmax(1)

    (found,) = faults(record(trained(Unit(), evaluate), None, None, quiet=True))
    assert (found["victim"], found["operation"]) == ("output", "div")


def test_what_the_program_copes_with_is_passed_over(record):
    def evaluate(model):
        with torch.no_grad():
            half = torch.cat([X[:3], BAD[:3]])
            out = model(half)
            kept = functional.cross_entropy(out[:3], Y[:3])
            shares = torch.stack([Y.eq(label).sum() / Y.eq(label).sum() for label in (0, 77)])
            best = torch.minimum(torch.tensor(float("inf")), kept)
            (10 * torch.log10(1 / (best - best))).item(), shares.nanmean().item()

    assert faults(record(trained(Unit(), evaluate), None, None, quiet=True)) == []


def test_a_model_that_training_has_spoiled_is_no_fault_of_the_evaluation(record):
    model = mlp()

    def evaluate(model):
        with torch.no_grad():
            functional.cross_entropy(model(X), Y).item()
            model[0].weight.fill_(float("nan"))

    found = faults(record(trained(model, evaluate, epochs=4), None, None, quiet=True))
    assert found
    assert all(fault["trigger"] != "evaluation" for fault in found)


def test_many_short_passes_are_kept_again_after_a_loss_that_was_missed(record):
    def evaluate(model):
        with torch.no_grad():
            for number in range(150):
                functional.cross_entropy(model(BAD if number > 120 else X), Y).item()

    run = record(trained(Unit(), evaluate, epochs=3), None, None, quiet=True)
    assert [fault["operation"] for fault in faults(run)] == ["div"]


def test_evaluations_come_out_bit_for_bit(tmp_path):
    def program():
        torch.manual_seed(5)
        model, told = Unit(), []

        def evaluate(model):
            model.train()  # draws nothing here, but is put back
            with torch.no_grad():
                told.append(functional.cross_entropy(model(torch.cat([X, BAD])), torch.cat([Y, Y])).item())
                told.append(torch.rand(()).item())

        trained(model, evaluate)()
        return str(told), torch.get_rng_state()

    bare, state = program()
    with stetho.watch(out=tmp_path, quiet=True):
        watched, after = program()
    assert watched == bare
    assert torch.equal(state, after)


def test_reading_goes_on_after_an_error_of_ours(record, monkeypatch):
    def broken(*_):
        raise RuntimeError("ours")

    module = sys.modules["stetho.capture.torch.autopsy.autopsy"]
    monkeypatch.setattr(module, "examined", broken)
    seen = []

    def evaluate(model):
        with torch.no_grad():
            seen.append(functional.cross_entropy(model(BAD), Y).item())

    record(trained(Unit(), evaluate), None, None, quiet=True)
    assert len(seen) == 2
