"""`stetho.shell()`."""

import pytest
import torch
from torch import nn

import stetho
from stetho import interacting as shells
from stetho.capture.console import Leave
from stetho.capture.torch import breaks


def test_opens_with_the_variables_of_the_caller(monkeypatch):
    opened = []
    monkeypatch.setattr(shells, "has_terminal", lambda: True)
    monkeypatch.setattr(shells, "open_console", lambda names, banner: opened.append((names, banner)))
    mine = 3
    stetho.shell()
    ((names, banner),) = opened
    assert names["mine"] == mine
    assert "stats" in names
    assert "test_interacting.py" in banner


def test_under_watch_the_step_is_at_hand_and_the_program_stops_again_when_asked(monkeypatch, tmp_path):
    opened = []

    def console(names, banner):
        opened.append((banner.split(" · ")[1:3], names["model"], names["step"]))
        if len(opened) == 1:
            assert names["layers"]["0"].grad.shape == (4, 2)
            with pytest.raises(Leave):
                names["next_step"]()

    monkeypatch.setattr(shells, "has_terminal", lambda: True)
    monkeypatch.setattr(breaks, "has_terminal", lambda: True)
    monkeypatch.setattr(breaks, "open_console", console)
    net = nn.Sequential(nn.Linear(3, 2), nn.Tanh())
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    with stetho.watch(out=tmp_path, quiet=True) as watching:
        for turn in range(4):
            optimizer.zero_grad()
            net(torch.ones(4, 3)).sum().backward()
            if turn == 1:
                stetho.shell()
            optimizer.step()
    assert opened == [(["step 2", "stetho.shell()"], net, 2), (["step 2", "next step"], net, 2)]
    assert stetho.open_run(watching.path).info["capture_error"] is None


class Nosy(nn.Module):
    """Opens a shell in the middle of its forward pass."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(3, 2)

    def forward(self, x):
        hidden = self.first(x)
        stetho.shell()
        return hidden.sum()


def test_inside_of_a_model_that_model_is_at_hand(monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr(shells, "has_terminal", lambda: True)
    monkeypatch.setattr(breaks, "has_terminal", lambda: True)
    monkeypatch.setattr(breaks, "open_console", lambda names, _: opened.append(names))
    net = Nosy()
    with stetho.watch(net, torch.optim.SGD(net.parameters(), 0.1), out=tmp_path, quiet=True):
        net(torch.ones(4, 3)).backward()
    assert [(names["model"], names["hidden"].shape) for names in opened] == [(net, (4, 2))]


def test_says_where_nobody_could_type(capsys):
    stetho.shell()
    assert "no shell at" in capsys.readouterr().err
