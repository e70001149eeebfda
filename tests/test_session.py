"""One watched run from its start to its stop; nothing in it may raise into the program."""

import pytest
import torch
from torch import nn

from stetho.config import Options
from stetho.records import Ending
from stetho.session import Session, active
from stetho.store.reader import open_run

FINISHED = Ending("finished")


class Voice:
    """Keeps what was said."""

    def __init__(self):
        self.said = []

    def say(self, text):
        self.said.append(text)


@pytest.fixture
def voice():
    return Voice()


@pytest.fixture
def watched(tmp_path, voice):
    one = Session(Options(out=tmp_path, quiet=True), command=["train.py"], voice=voice)
    yield one
    one.stop(FINISHED)


def train(steps=3):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.ones(2, 4)).sum().backward()
        optimizer.step()


def test_it_is_active_from_start_to_stop(watched):
    assert active() is None
    watched.start()
    assert active() is watched
    watched.stop(FINISHED)
    assert active() is None


def test_a_program_with_steps_leaves_a_run(watched):
    watched.start()
    train()
    assert watched.status().step == 3
    watched.stop(Ending("exit", 3))
    run = open_run(watched.path)
    assert (run.info["steps"], run.info["exit"]["code"], run.info["capture_error"]) == (3, 3, None)


def test_a_program_without_steps_leaves_nothing(watched, tmp_path):
    watched.start()
    watched.stop(FINISHED)
    assert watched.path is None
    assert list(tmp_path.iterdir()) == []


def test_the_second_stop_does_nothing(watched):
    watched.start()
    train()
    watched.stop(FINISHED)
    first = watched.path
    watched.stop(Ending("exception", 1))
    assert watched.path == first
    assert open_run(first).info["exit"]["kind"] == "finished"


def test_metrics_of_the_program_are_recorded_and_what_is_no_number_is_left_out(watched, voice):
    watched.log({"early": 1.0})
    watched.start()
    train()
    watched.log({"score": 0.5, "name": "best"})
    watched.stop(FINISHED)
    metrics = open_run(watched.path).table("metrics").to_pylist()
    assert [(row["name"], row["phase"], row["value"]) for row in metrics] == [("score", "user", 0.5)]
    assert any("`name` is a str that is no number" in text for text in voice.said)


def test_an_error_of_ours_ends_the_watch_and_not_the_program(watched, voice, monkeypatch):
    watched.start()
    train(1)
    monkeypatch.setattr(watched.capture.clock, "end", lambda *_: 1 / 0)
    train(2)
    assert any("the program goes on unwatched" in text for text in voice.said)
    watched.stop(FINISHED)
    assert "ZeroDivisionError" in open_run(watched.path).info["capture_error"]


def test_a_child_process_is_not_watched(watched, monkeypatch):
    watched.start()
    train(1)
    recorder = watched._recorder
    watched.before_fork()
    watched.after_fork_in_parent()
    assert active() is watched
    assert watched._background.is_running
    monkeypatch.setattr(recorder, "abandon", lambda: None)
    watched.after_fork_in_child()
    assert active() is None
    recorder.close({"exit": {}}, even_if_empty=False)
    watched._background.stop()
    watched.capture.remove()
