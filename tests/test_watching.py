"""The Python door: with and without a block, options, metrics, callbacks, and what it refuses."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import torch
from torch import nn

import stetho
from stetho import watching

STEPS = 5


@pytest.fixture
def model() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))


@pytest.fixture
def optimizer(model: nn.Module) -> torch.optim.Optimizer:
    return torch.optim.SGD(model.parameters(), lr=0.1)


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(watching, "_registered", [])
    yield
    left = watching.active()
    assert left is None, "a test left a watch on"


def train(model: nn.Module, optimizer: torch.optim.Optimizer, steps: int = STEPS) -> None:
    for _ in range(steps):
        loss = model(torch.randn(8, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def test_a_block_is_recorded(model: nn.Module, optimizer: torch.optim.Optimizer, tmp_path: Path) -> None:
    with stetho.watch(model, optimizer, out=tmp_path, quiet=True) as watch:
        train(model, optimizer)
        assert watch.status is not None
        assert watch.status.step == STEPS
    train(model, optimizer)
    run = stetho.open_run(watch.path)
    assert run.state == "finished"
    assert run.table("steps")["step"].to_pylist() == list(range(1, STEPS + 1))


def test_a_watch_without_a_block_ends_with_stop(
    model: nn.Module, optimizer: torch.optim.Optimizer, tmp_path: Path
) -> None:
    watch = stetho.watch(model, out=tmp_path, quiet=True)
    train(model, optimizer)
    watch.stop()
    watch.stop()
    assert watch.status is None
    assert stetho.open_run(watch.path).info["steps"] == STEPS


def test_a_cell_that_is_run_again_begins_a_new_run(
    model: nn.Module, optimizer: torch.optim.Optimizer, tmp_path: Path
) -> None:
    first = stetho.watch(model, optimizer, out=tmp_path, name="cell", quiet=True)
    train(model, optimizer)
    second = stetho.watch(model, optimizer, out=tmp_path, name="cell", quiet=True)
    train(model, optimizer, steps=2)
    second.stop()
    first.stop()
    assert first.path != second.path
    assert [stetho.open_run(each.path).info["steps"] for each in (first, second)] == [STEPS, 2]


def test_an_exception_in_the_block_goes_through_and_is_recorded(
    model: nn.Module, optimizer: torch.optim.Optimizer, tmp_path: Path
) -> None:
    watch = stetho.watch(model, optimizer, out=tmp_path, quiet=True)

    def fail_inside() -> None:
        with watch:
            train(model, optimizer)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_inside()
    ending = stetho.open_run(watch.path).info["exit"]
    assert ending["kind"] == "exception"
    assert "ZeroDivisionError" in ending["error"]


def test_metrics_of_the_user_stand_beside_their_step(
    model: nn.Module, optimizer: torch.optim.Optimizer, tmp_path: Path
) -> None:
    with stetho.watch(model, optimizer, out=tmp_path, quiet=True) as watch:
        train(model, optimizer, steps=3)
        stetho.log(score=0.5)
        watch.log(other=2)
    rows = stetho.open_run(watch.path).query("select step, name, value from metrics where phase = 'user' order by name")
    assert rows.to_pylist() == [
        {"step": 3, "name": "other", "value": 2.0},
        {"step": 3, "name": "score", "value": 0.5},
    ]


def test_log_does_nothing_when_nothing_is_watched() -> None:
    stetho.log(score=0.5)


class Listening(stetho.Callback):
    def __init__(self) -> None:
        self.heard: list[object] = []

    def on_run_begin(self) -> None:
        self.heard.append("begin")

    def on_step_end(self, step: int, row: Mapping[str, object]) -> None:
        self.heard.append((step, isinstance(row["loss"], float)))

    def on_run_end(self, path: Path | None) -> None:
        self.heard.append(path)


@pytest.mark.parametrize("way", ["argument", "list", "registered", "while on"])
def test_callbacks_are_called(way: str, model: nn.Module, optimizer: torch.optim.Optimizer, tmp_path: Path) -> None:
    listening = Listening()
    given = {"argument": listening, "list": [listening]}.get(way, ())
    if way == "registered":
        stetho.add_callback(listening)
    with stetho.watch(model, optimizer, callbacks=given, out=tmp_path, quiet=True) as watch:
        if way == "while on":
            stetho.add_callback(listening)
        train(model, optimizer, steps=2)
    heard = listening.heard if way != "while on" else ["begin", *listening.heard]
    assert heard == ["begin", (1, True), (2, True), watch.path]


def test_stetho_0_makes_it_do_nothing(
    model: nn.Module, optimizer: torch.optim.Optimizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STETHO", "0")
    with stetho.watch(model, optimizer, out=tmp_path) as watch:
        train(model, optimizer)
        stetho.log(score=1.0)
    assert watch.path is None
    assert watch.status is None
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_argument_is_said_before_anything_is_watched(model: nn.Module) -> None:
    with pytest.raises(stetho.UsageError, match="unknown option `evry`, did you mean `every`"):
        stetho.watch(model, evry=1)
    with pytest.raises(stetho.UsageError, match="`model` is a list, which has no layers"):
        stetho.watch([model])
    with pytest.raises(stetho.UsageError, match="`optimizer` is a float, which has no parameters"):
        stetho.watch(model, 0.1)
    with pytest.raises(stetho.UsageError, match="`callbacks` has a str"):
        stetho.watch(model, callbacks=["print"])  # type: ignore[list-item]  # the mistake is the test
    with pytest.raises(stetho.UsageError, match="`callback` is a function"):
        stetho.add_callback(lambda: None)  # type: ignore[arg-type]  # the mistake is the test


def test_a_watch_says_where_it_records(tmp_path):
    watching = stetho.watch(out=tmp_path, quiet=True)
    try:
        assert repr(watching) == "<stetho.Watch: nothing recorded yet>"
    finally:
        watching.stop()
