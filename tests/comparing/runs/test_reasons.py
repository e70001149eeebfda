"""Why two runs differ where they do. The table of planted differences holds most of it."""

from dataclasses import replace

import torch
from torch import Tensor

from stetho.comparing.runs.compare import compare_runs
from stetho.comparing.runs.reasons import _own_or_given
from stetho.comparing.runs.recorded import Recorded
from tests.comparing.trainings import Net, Record, cross_entropy


def test_a_container_whose_layers_are_equal_differs_in_its_own_code(record: Record) -> None:
    found = compare_runs(record(), record(model=lambda: Net(scale=0.5)))
    assert found.reasons == ["every layer inside of it gives equal outputs: its own code, `forward` of Block, differs"]


def test_weights_of_one_parameter_alone_are_named(record: Record) -> None:
    def nudge(model):
        model.head.bias.data[0] += 0.01

    found = compare_runs(record(), record(before=nudge))
    assert found.reasons == ["`head.bias` alone differs"]


def test_weights_drawn_in_another_type_are_not_laid_to_the_seed(record: Record) -> None:
    def wide() -> Net:
        torch.set_default_dtype(torch.float64)
        try:
            model = Net()
        finally:
            torch.set_default_dtype(torch.float32)
        model.register_forward_pre_hook(lambda _, given: (given[0].double(),))
        return model

    found = compare_runs(record(steps=1), record(steps=1, model=wide))
    assert found.verdict.kind == "weights"
    assert "the same seed draws other numbers in another type" in found.reasons[0]
    assert not any("another seed" in each for each in found.reasons)


def test_a_gradient_that_one_run_lacks_is_not_laid_to_the_time_after_the_backward_pass(record: Record) -> None:
    def freeze(model: Net) -> None:
        model.embed.weight.requires_grad_(False)

    found = compare_runs(record(steps=1), record(steps=1, before=freeze))
    assert found.reasons == ["`embed.weight` trainable: True in the first, False in the second"]


def test_no_reason_is_made_up(record: Record) -> None:
    found = compare_runs(record(), record(loss=lambda o, t: 2 * cross_entropy(o, t)))
    assert found.verdict.kind == "loss"
    assert found.reasons == []


def test_another_type_of_number_is_told_before_code_is_blamed(record: Record) -> None:
    class Narrow(Net):
        def forward(self, x: Tensor) -> Tensor:
            with torch.autocast("cpu", torch.bfloat16):
                return super().forward(x)

    found = compare_runs(record(steps=1), record(steps=1, model=Narrow))
    assert found.reasons == ["it computes in float32 in the first run and in bfloat16 in the second"]


def test_a_gradient_of_another_type_of_number_is_not_laid_to_the_time_after_the_backward_pass(record: Record) -> None:
    def halve(model):
        model.head.weight.register_hook(lambda grad: grad / 2)

    found = compare_runs(record(steps=1), record(steps=1, variant="bf16", before=halve))
    assert found.verdict.kind == "gradient"
    assert "its layer computes in float32 in the first run and in bfloat16 in the second" in found.reasons
    assert not any("after the backward pass" in each for each in found.reasons)


def test_of_a_model_that_no_optimizer_trains_the_weights_are_not_said_to_be_equal(record: Record) -> None:
    found = compare_runs(record(), record(model=lambda: Net(eps=1e-2)))
    side = Recorded(record())
    place = found.places[0]
    assert "moments of its weights" in _own_or_given(replace(place, name=""), side)
    for facts in side.parameters.values():
        facts["optimizer"] = None  # type: ignore[index]
    assert _own_or_given(place, side).startswith("no optimizer trains this model")
