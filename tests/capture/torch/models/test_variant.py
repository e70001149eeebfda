"""Models trained in another way than they were written."""

import pytest
import torch
from torch import nn

import stetho
from stetho.capture.torch.models.variant import Variant, parts_of
from stetho.store.reader import open_run


def outcome(way: str | None) -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
    Variant(way).apply(model)
    output = model(torch.ones(3, 4))
    output.square().sum().backward()
    return output, model[0].weight.grad


@pytest.mark.parametrize(
    ("way", "tolerance"), [(None, 0), ("bf16", 0.05), ("float64", 1e-6), ("checkpointing", 0), ("cpu", 0)]
)
def test_a_way_gives_the_same_as_far_as_rounding_goes(way: str | None, tolerance: float) -> None:
    plain, other = outcome(None), outcome(way)
    assert other[0].dtype == torch.float32
    for mine, theirs in zip(plain, other, strict=True):
        assert torch.allclose(mine, theirs.to(mine.dtype), atol=tolerance, rtol=tolerance)


def test_on_a_device_a_model_keeps_its_type() -> None:
    model = nn.Linear(4, 2).double()
    Variant("cpu").apply(model)
    assert model(torch.ones(3, 4).double()).dtype == torch.float64


def test_what_goes_to_a_device_comes_back() -> None:
    model = nn.Linear(4, 2)
    # Computes nothing, but is a device of its own.
    Variant("meta").apply(model)
    with pytest.raises(NotImplementedError, match="no data"):
        model(torch.ones(3, 4))
    assert {each.device.type for each in model.parameters()} == {"meta"}


def test_smaller_numbers_are_rounded() -> None:
    assert not torch.equal(outcome(None)[0], outcome("bf16")[0])


def test_a_model_is_changed_once() -> None:
    model, variant = nn.Linear(2, 2), Variant("bf16")
    variant.apply(model)
    variant.apply(model)
    assert len(model._forward_pre_hooks) == 1


def test_containers_are_no_parts() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.ModuleList([nn.ReLU(), nn.Linear(2, 2)]))
    assert [type(part).__name__ for part in parts_of(model)] == ["Linear", "ReLU", "Linear"]
    assert parts_of(leaf := nn.Linear(2, 2)) == [leaf]


def test_the_option_applies_it_to_what_an_optimizer_trains(tmp_path) -> None:
    model = nn.Sequential(nn.Linear(4, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with stetho.watch(model, optimizer, variant="bf16", out=str(tmp_path), quiet=True) as watching:
        model(torch.ones(3, 4)).sum().backward()
        optimizer.step()
    assert open_run(watching.path).model["models"][0]["layers"][1]["output"].startswith("bfloat16")
