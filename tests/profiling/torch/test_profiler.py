"""The stages of a profile on a program's own loop."""

from collections.abc import Callable

import torch
from torch import nn
from torch.utils.data import DataLoader

from stetho.profiling.torch.profiler import TorchProfiler

from .conftest import Net

Make = Callable[..., TorchProfiler]


def train(profiler: TorchProfiler, model: nn.Module, most: int = 300) -> None:
    """Train until the profiler has seen enough."""
    seen: list[int] = []
    profiler.on_done = lambda: seen.append(1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(most):
        for batch in DataLoader([torch.ones(8)] * 16, batch_size=4):
            optimizer.zero_grad()
            model(batch).sum().backward()
            optimizer.step()
            if seen:
                return
    raise AssertionError("it never had enough")


def test_goes_through_all_stages_and_takes_everything_off(make_profiler: Make) -> None:
    profiler = make_profiler()
    train(profiler, Net())
    times = profiler.measured.times
    assert [len(times[stage]) for stage in ("warm", "operations", "memory")] == [3, 3, 3]
    assert set(times) == {"warm", "bare", "operations", "memory", "lines"}
    assert profiler.measured.events
    assert len(profiler.measured.held) == 4
    profiler.remove()
    assert nn.modules.module._global_forward_hooks == {}
    assert torch.utils._python_dispatch._len_torch_dispatch_stack() == 0
    assert torch._C._autograd._top_saved_tensors_default_hooks(True) is None


def test_can_be_taken_off_in_the_middle_of_any_stage(make_profiler: Make) -> None:
    for stage in range(1, 9):
        profiler, model = make_profiler(), Net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        for _ in range(stage):
            model(torch.ones(2, 8)).sum().backward()
            optimizer.step()
        profiler.remove()
        assert torch.utils._python_dispatch._len_torch_dispatch_stack() == 0
        assert torch._C._autograd._top_saved_tensors_default_hooks(True) is None


def test_tries_other_settings_and_measures_them(make_profiler: Make) -> None:
    profiler = make_profiler(trial_seconds=0.5)
    train(profiler, Net())
    trials = profiler.trials.found
    assert trials[0].setting == "as it is"
    assert len(trials) >= 2
    assert all(trial.problem or trial.steps_per_second > 0 for trial in trials)
    assert trials[0].samples_per_second == 4 * trials[0].steps_per_second
    assert not profiler.trials.is_on
