"""`stetho.profile` on functions and blocks."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import stetho
from stetho.inspect.inputs import call_of
from stetho.profiling.records import Span
from tests.inspect.networks import NETWORKS


def test_profiles_a_function_that_only_infers() -> None:
    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
    calls = []

    def infer() -> None:
        calls.append(1)
        with torch.no_grad():
            model(torch.ones(2, 4))

    profiled = stetho.profile(infer, model=model, steps=3, warmup=2)
    assert [layer.name for layer in profiled.layers] == ["model", "0", "1"]
    assert profiled.result.steps >= 1
    assert len(calls) >= 2 + 1 + 1 + 3
    assert profiled.operations[0].own.mean > 0
    assert "layers, their own time in a step" in str(profiled)


def test_profiles_a_block_and_leaves_the_rest_of_it_alone(tmp_path: Path) -> None:
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    spans: list[Span] = []
    with stetho.profile(model=model, steps=3, warmup=1, callback=spans.append) as profiled:
        for _ in range(500):
            optimizer.zero_grad()
            model(torch.ones(2, 4)).sum().backward()
            optimizer.step()
            if profiled.is_done:
                break
    assert profiled.is_done
    assert nn.modules.module._global_forward_hooks == {}
    assert profiled.result.steps >= 1
    assert spans
    profiled.save(tmp_path / "step.csv")
    assert (tmp_path / "step.csv").read_text().startswith("kind,name")


def test_a_cell_of_a_notebook_shows_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    # As the kernel of a notebook has it.
    monkeypatch.setenv("FORCE_COLOR", "1")
    profiling = stetho.profile()
    assert repr(profiling) == "<stetho.profile: nothing is measured yet>"
    model = nn.Linear(4, 2)
    profiled = stetho.profile(lambda: model(torch.ones(2, 4)), model=model, steps=2, warmup=1)
    assert repr(profiled).startswith("stetho profile")
    assert profiled._repr_html_().startswith("<pre")
    assert "layers, their own time in a step" in profiled._repr_html_()
    assert "\x1b" not in profiled._repr_html_()


def test_steps_can_be_told_by_hand() -> None:
    model = nn.Linear(4, 1)
    with stetho.profile(model=model, steps=3, warmup=0) as profiled:
        while not profiled.is_done:
            model(torch.ones(2, 4))
            profiled.step()
    assert profiled.result.steps >= 1


def test_a_block_without_steps_says_why_there_is_no_profile() -> None:
    with stetho.profile() as profiled:
        pass
    with pytest.raises(stetho.StethoError, match="there is no profile: fewer than 6 steps were seen"):
        _ = profiled.result


def test_what_is_no_function_and_what_is_no_model_are_refused() -> None:
    with pytest.raises(stetho.UsageError, match="`function` is a Linear"):
        stetho.profile(nn.Linear(1, 1))
    with pytest.raises(stetho.UsageError, match="`model` is an int"):
        stetho.profile(model=3)
    with pytest.raises(stetho.UsageError, match="`steps`"):
        stetho.profile(steps=0)


@pytest.mark.parametrize("make", NETWORKS)
def test_profiles_networks_of_every_kind(make: Callable[[], tuple[nn.Module, Any]]) -> None:
    model, inputs = make()
    call = call_of(model, inputs)
    profiled = stetho.profile(lambda: call.of(model), model=model, steps=2, warmup=1)
    ran = {layer.name for layer in profiled.layers}
    assert ran & {name for name, _ in model.named_modules()}
    assert profiled.result.verdict is not None
