"""Profiles of programs of many kinds."""

from collections.abc import Callable

import pytest
import torch
from torch import nn

from stetho.profiling.records import Measure, Profile, Span, Trial
from stetho.profiling.torch.assembly import _at_its_best, profile_of
from stetho.profiling.torch.profiler import TorchProfiler

from .conftest import Net

Make = Callable[..., TorchProfiler]


def profiled(make: Make, step: Callable[[], object], most: int = 400) -> Profile:
    profiler = make()
    over: list[int] = []
    profiler.on_done = lambda: over.append(1)
    for _ in range(most):
        step()
        if over:
            break
    profiler.remove()
    profile = profile_of(profiler)
    assert profile is not None
    return profile


def test_layer_times_phases_and_stacks_add_up_to_the_bare_step(make_profiler: Make) -> None:
    model = Net()
    optimizer = torch.optim.Adam(model.parameters())

    def step() -> None:
        optimizer.zero_grad()
        model(torch.ones(4, 8)).sum().backward()
        optimizer.step()

    profile = profiled(make_profiler, step)
    assert sum(each.mean for name, each in profile.phases.items() if name != "before") == pytest.approx(
        profile.step.mean
    )
    assert sum(spent for _, spent in profile.stacks) == pytest.approx(profile.step.mean)
    first = next(layer for layer in profile.layers if layer.name == "first")
    assert (first.kind, first.depth, first.calls) == ("Linear", 1, 1)
    assert first.forward.mean > 0
    assert first.backward.mean > 0
    assert first.optimizer > 0
    assert (first.parameters, first.gradients) == (4 * (8 * 16 + 16),) * 2
    assert first.state == 2 * first.parameters + 8  # and the number of steps, for weight and bias
    assert first.forward_flops == 2 * 4 * 8 * 16
    assert profile.loader is None
    assert profile.verdict is not None
    assert profile.lines


def test_a_gan_repeats_itself_with_both_of_its_optimizers(make_profiler: Make) -> None:
    generator, critic = nn.Sequential(nn.Linear(2, 4)), nn.Sequential(nn.Linear(4, 1))
    of_generator = torch.optim.Adam(generator.parameters())
    of_critic = torch.optim.Adam(critic.parameters())

    def step() -> None:
        of_critic.zero_grad()
        (critic(torch.ones(3, 4)) - critic(generator(torch.ones(3, 2)).detach())).mean().backward()
        of_critic.step()
        of_generator.zero_grad()
        critic(generator(torch.ones(3, 2))).mean().backward()
        of_generator.step()

    profile = profiled(make_profiler, step)
    assert {layer.name: layer.calls for layer in profile.layers} == {
        "critic": 3,
        "critic.0": 3,
        "generator": 2,
        "generator.0": 2,
    }
    assert sum(operation.calls for operation in profile.ops if operation.name == "aten::addmm") == 5


def test_closures_and_half_precision(make_profiler: Make) -> None:
    model = Net()
    optimizer = torch.optim.LBFGS(model.parameters(), lr=1e-4, max_iter=2)

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        with torch.autocast("cpu", torch.bfloat16):
            loss = model(torch.ones(4, 8)).float().square().sum()
        loss.backward()
        return loss

    profile = profiled(make_profiler, lambda: optimizer.step(closure))
    assert next(layer.calls for layer in profile.layers if layer.name == "first") >= 2
    assert profile.phases["optimizer"].mean > 0
    assert profile.phases["backward"].mean > 0


def test_updates_by_hand_have_steps_too(make_profiler: Make) -> None:
    model = Net()

    def step() -> None:
        model(torch.ones(4, 8)).sum().backward()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= 0.01 * parameter.grad  # type: ignore[operator]
                parameter.grad = None

    profile = profiled(make_profiler, step)
    assert profile.steps >= 1
    assert "no optimizer steps: a step ends with its backward pass" in profile.notes


def test_a_name_that_keeps_graphs_is_found_with_its_line(make_profiler: Make) -> None:
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []

    def step() -> None:
        loss = model(torch.ones(4, 8)).sum()
        loss.backward()
        optimizer.step()
        losses.append(loss)

    profile = profiled(make_profiler, step)
    (keeper,) = profile.memory.keepers
    assert (keeper.name, keeper.tensors_per_step) == ("losses", 1.0)
    assert any(line.startswith(f"{__file__}:") for line in keeper.lines)


def test_a_program_of_few_steps_is_told_what_was_not_measured(make_profiler: Make) -> None:
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

    def step() -> None:
        model(torch.ones(4, 8)).sum().backward()
        optimizer.step()

    (note,) = profiled(make_profiler, step, most=7).notes
    assert note.startswith("not measured, for the program came to its end: memory, lines;")


def test_without_a_step_there_is_no_profile(make_profiler: Make) -> None:
    profiler = make_profiler()
    profiler.remove()
    assert profile_of(profiler) is None


def test_every_span_of_the_recorded_steps_is_called_back(make_profiler: Make) -> None:
    profiler, model = make_profiler(), Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(3 + 1 + 3):
        model(torch.ones(4, 8)).sum().backward()
        optimizer.step()
    profiler.remove()
    spans: list[Span] = []
    profile_of(profiler, spans.append)
    assert {span.step for span in spans} <= {1, 2}  # the first is left out
    assert {"first", "aten::addmm"} <= {span.name for span in spans}


def test_a_program_that_was_slowed_down_while_it_was_tried_as_it_is_makes_no_change_look_good() -> None:
    slowed, tried = Trial("as it is", 50, 400), Trial("num_workers=2", 90, 720)
    assert _at_its_best([slowed, tried], Measure(0.01)) == [Trial("as it is", 100, 800), tried]
    assert _at_its_best([slowed, tried], Measure(0.04)) == [slowed, tried]
    assert _at_its_best([], Measure(0.01)) == []
