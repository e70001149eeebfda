"""A model in DistributedDataParallel behind the back of its program; alone in its group, which is enough to see it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import distributed, nn
from torch.nn.parallel import DistributedDataParallel

from stetho.equivalence.torch.shared import Shared


@pytest.fixture(autouse=True)
def group(tmp_path: Path) -> Iterator[None]:
    distributed.init_process_group("gloo", init_method=f"file://{tmp_path}/group", rank=0, world_size=1)
    yield
    distributed.destroy_process_group()


def test_calls_of_the_trained_model_go_through_the_real_thing_and_hooks_fire_once() -> None:
    shared, seen = Shared(finds_unused=False), []
    model, other = nn.Sequential(nn.Linear(2, 2)), nn.Linear(2, 2)

    def original(module: nn.Module, *args: object) -> object:
        seen.append(type(module))
        return nn.Module._call_impl(module, *args)

    fired = []
    model.register_forward_hook(lambda *_: fired.append(1))
    call = shared.calling(original, lambda module: module is model)
    call(other, torch.ones(1, 2))
    call(model, torch.ones(1, 2))
    with torch.no_grad():
        call(model, torch.ones(1, 2))
    assert seen == [nn.Linear, DistributedDataParallel, nn.Sequential]
    assert len(fired) == 2


def test_what_is_no_part_of_the_model_is_averaged_too() -> None:
    shared = Shared(finds_unused=False)
    weight = nn.Parameter(torch.ones(2))
    weight.grad = torch.ones(2)
    shared.average_others([weight, nn.Parameter(torch.ones(1))])
    assert weight.grad.tolist() == [1, 1]
