"""model.json is written early and often, and says what the experiments found."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

import stetho
from stetho.capture.torch.model_file import ModelFile
from stetho.store.reader import open_run

from .conftest import mlp, sgd, train


class Disk:
    """Counts what is described and keeps what is written."""

    def __init__(self) -> None:
        self.described = 0
        self.written: list[Any] = []
        self.writer = self

    def current(self) -> dict[str, object]:
        self.described += 1
        return {"models": self.described}

    def write_encoded(self, name: str, content: bytes) -> None:
        assert name == "model.json"
        self.written.append(json.loads(content))


class Guard:
    """Its clock goes on by a second with every look."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def so_far(self) -> float:
        self.seconds += 1
        return self.seconds


@pytest.fixture
def disk():
    return Disk()


def model_file(disk, models=(), probes=dict, randomness=None, clock=None):
    guard: Any = Guard()
    return ModelFile(guard, clock or step(), disk, SimpleNamespace(all=models), disk, probes, randomness)  # type: ignore[arg-type]


def step() -> Any:
    return SimpleNamespace(step=SimpleNamespace(other_ours=0.0))


def test_it_is_written_ever_more_rarely(disk):
    file = model_file(disk)
    due = []
    for done in range(1, 20):
        before = len(disk.written)
        file.write_if_due(done)
        due += [done] * (len(disk.written) - before)
    assert due == [1, 2, 4, 8, 16]


def test_steps_that_were_slept_through_are_made_up_for_once(disk):
    file = model_file(disk)
    for done in (1, 100, 101, 127, 128):
        file.write_if_due(done)
    assert len(disk.written) == 3


def test_a_new_model_is_described_at_once(disk):
    models = ["first"]
    file = model_file(disk, models)
    file.write_if_due(4)
    models.append("second")
    file.write_if_due(5)
    file.write_if_due(6)
    assert (disk.described, len(disk.written)) == (2, 1)


def test_the_time_it_takes_is_ours(disk):
    clock = step()
    model_file(disk, clock=clock).write_if_due(1)
    assert clock.step.other_ours == 1


def test_experiments_without_a_result_are_left_out(disk):
    model_file(disk, probes=lambda: {"views": None, "pairs": {"share": 0.5}}).write()
    assert disk.written == [{"models": 1, "probes": {"pairs": {"share": 0.5}}}]


def test_what_is_left_to_chance_is_told_where_it_was_asked_for(disk):
    model_file(disk, randomness=SimpleNamespace(left=lambda: ["dropout"])).write()
    assert disk.written[0]["randomness"] == ["dropout"]


def test_it_is_on_disk_before_the_end(tmp_path):
    model = mlp()
    optimizer = sgd(model)
    with stetho.watch(model, optimizer, out=tmp_path) as watching:
        train(model, optimizer, 2)
        assert open_run(watching.path).model["models"][0]["layers"][1]["calls"] == 2


def test_news_in_the_midst_of_a_step_need_no_new_description(disk):
    found: dict[str, object] = {}
    file = model_file(disk, probes=lambda: found)
    file.write()
    found["autopsy"] = {"faults": [1]}
    file.write_news()
    assert disk.written == [{"models": 1, "probes": {}}, {"models": 1, "probes": {"autopsy": {"faults": [1]}}}]


def test_news_before_anything_is_written_come_with_a_description(disk):
    model_file(disk, probes=lambda: {"autopsy": 1}).write_news()
    assert disk.written == [{"models": 1, "probes": {"autopsy": 1}}]
