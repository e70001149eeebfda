"""The training loop: batches, backward passes, and where steps end."""

from collections.abc import Iterator

import pytest
import torch
from torch import nn
from torch.optim.optimizer import _global_optimizer_post_hooks, _global_optimizer_pre_hooks
from torch.utils.data import DataLoader

from stetho.capture.guard import Guard
from stetho.capture.torch.patches import Patches
from stetho.profiling.torch.changes import _other_loader
from stetho.profiling.torch.loop import Loop, batch_length
from stetho.profiling.units import Units


@pytest.fixture
def loop(guard: Guard) -> Iterator[Loop]:
    patches = Patches()
    loop = Loop(guard, Units(warmup=0))
    loop.install(patches)
    loop.steps = 0  # type: ignore[attr-defined]

    def count() -> None:
        loop.steps += 1  # type: ignore[attr-defined]

    loop.on_step = count
    yield loop
    loop.remove()
    patches.undo()


def steps(loop: Loop) -> int:
    return loop.steps  # type: ignore[attr-defined, no-any-return]


def test_a_step_ends_with_its_update_and_the_loader_is_known(loop: Loop) -> None:
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loop.keeps_batch = True
    for batch in DataLoader([torch.ones(2)] * 4, batch_size=2):
        model(batch).sum().backward()
        optimizer.step()
    assert steps(loop) == 2
    assert loop.loader.batch_size == 2
    assert loop.loader_line.startswith(f"{__file__}:")
    assert loop.is_unusual
    assert loop.data_seconds > 0
    assert loop.last_batch.shape == (2, 2)
    assert [known() for known in loop.optimizers] == [optimizer]


def test_a_substitute_gives_the_batches_of_the_loader_that_feeds_the_training(loop: Loop) -> None:
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    seen = []

    def train() -> None:
        for batch in DataLoader([torch.ones(2)] * 2, batch_size=1):
            seen.append(float(batch.sum()))
            model(batch).sum().backward()
            optimizer.step()

    train()
    loop.substitute = iter([torch.zeros(1, 2)] * 2).__next__
    train()
    loop.substitute = iter([torch.zeros(1, 2)] * 2).__next__
    assert [float(batch.sum()) for batch in DataLoader([torch.ones(2)])] == [2.0]
    assert seen == [2.0, 2.0, 0.0, 0.0]


def test_another_data_set_at_the_same_line_is_left_alone(loop: Loop) -> None:
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    seen = []

    def go_through(size: int, *, trains: bool) -> None:
        for batch in DataLoader([torch.ones(2)] * size, batch_size=1):
            seen.append(float(batch.sum()))
            if trains:
                model(batch).sum().backward()
                optimizer.step()

    go_through(2, trains=True)
    loop.substitute = iter([torch.zeros(1, 2)] * 2).__next__
    go_through(3, trains=False)
    assert seen == [2.0] * 5


def test_the_loader_of_a_trial_is_counted_once(loop: Loop) -> None:
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loop.keeps_batch = True

    def train() -> None:
        for batch in DataLoader([torch.ones(2)] * 4, batch_size=2):
            model(batch).sum().backward()
            optimizer.step()

    train()
    loop.samples = 0
    change = _other_loader(loop, loop.loader, "the same")
    change.begin()
    train()
    train()
    change.end()
    assert loop.samples == 8


def test_a_closure_makes_one_step_however_often_it_is_called(loop: Loop) -> None:
    model = nn.Linear(2, 1)
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=3)

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = model(torch.ones(3, 2)).square().sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    assert steps(loop) == 1


def test_an_update_that_a_scaler_leaves_out_ends_a_step_too(loop: Loop) -> None:
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0)
    scaler.scale(model(torch.full((1, 2), float("inf"))).sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    assert steps(loop) == 1


def test_an_update_inside_of_another_is_a_part_of_it(loop: Loop) -> None:
    inner = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1)

    class Around(torch.optim.SGD):
        def step(self, closure=None):  # type: ignore[no-untyped-def, override]
            inner.step()
            return super().step(closure)

    outer = Around([torch.zeros(1, requires_grad=True)], lr=0.1)
    outer.step()
    assert steps(loop) == 1


def test_everything_is_put_back() -> None:
    originals = [torch.autograd.backward, torch.autograd.grad, DataLoader.__iter__, torch.amp.GradScaler.step]
    patches = Patches()
    loop = Loop(Guard(lambda *_: None), Units(0))
    loop.install(patches)
    loop.remove()
    patches.undo()
    assert [torch.autograd.backward, torch.autograd.grad, DataLoader.__iter__, torch.amp.GradScaler.step] == originals


def test_the_length_of_a_batch_is_that_of_its_first_tensor() -> None:
    assert batch_length([torch.tensor(1.0), (torch.zeros(5, 2),)]) == 5
    assert batch_length(["a", "b"]) is None


def test_samples_are_counted_batch_by_batch_while_batches_are_kept(loop: Loop) -> None:
    model = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    counted = []
    for batch in DataLoader(torch.ones(10, 1), batch_size=4):
        counted.append(loop.samples)
        loop.samples, loop.keeps_batch = 0, True
        model(batch).sum().backward()
        optimizer.step()
    assert counted == [0, 4, 2]


def test_standing_aside_leaves_updates_alone_where_others_tell_the_steps(loop: Loop) -> None:
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def train() -> None:
        model(torch.ones(1, 2)).sum().backward()
        optimizer.step()

    loop.stand_aside()
    train()
    assert steps(loop) == 1
    loop.come_back()
    loop.steps_are_told()
    loop.stand_aside()
    train()
    assert not _global_optimizer_pre_hooks
    assert not _global_optimizer_post_hooks
    loop.come_back()
    train()
    assert len(_global_optimizer_pre_hooks) == len(_global_optimizer_post_hooks) == 1
    assert steps(loop) == 1
