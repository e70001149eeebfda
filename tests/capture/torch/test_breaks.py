"""Breakpoints on conditions."""

import pytest
import torch
from torch import nn

import stetho
from stetho.capture.torch import breaks
from stetho.errors import UsageError


def program(count=6):
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    mine = "a variable"
    for step in range(count):
        optimizer.zero_grad()
        output = model(torch.ones(4, 3))
        loss = output.square().mean() if step != 4 else (output * 0).log().mean()
        loss.backward()
        optimizer.step()
    return mine


@pytest.fixture
def opened(monkeypatch, tmp_path):
    """Runs the program with conditions; gives the shells that were opened."""

    def opened(*conditions, act=lambda _: None, terminal=True, count=4):
        shells = []

        def console(names, banner):
            shells.append((banner.splitlines()[0], names))
            act(names)

        monkeypatch.setattr(breaks, "open_console", console)
        monkeypatch.setattr(breaks, "has_terminal", lambda: terminal)
        with stetho.watch(out=tmp_path, quiet=True, break_at=list(conditions)) as watching:
            program(count)
        assert stetho.open_run(watching.path).info["capture_error"] is None
        return shells, watching.path

    return opened


def test_stops_before_the_update_with_the_variables_of_the_program(opened):
    ((banner, names),), _ = opened("step == 2")
    assert "step 2 · step == 2" in banner
    assert "test_breaks.py:" in banner
    assert (names["mine"], names["step"]) == ("a variable", 1)
    assert names["model"].weight.shape == (1, 3)
    assert names["layers"]["Linear"].grad is not None
    assert names["batch"][0].shape == (4, 3)


@pytest.mark.parametrize(
    ("name", "says"),
    [("weight", "float32[1, 3]"), ("Linear", "float32[4, 1]"), ("wait", "is called 'wait'; there are: Linear, weight")],
)
def test_stats_knows_layers_and_parameters_by_name(name, says, opened, capsys):
    opened("step == 2", act=lambda names: names["stats"](name))
    assert says in capsys.readouterr().out


def test_stops_at_nan(opened):
    ((banner, names),), _ = opened("nan", count=6)
    assert "step 5 · nan" in banner
    assert names["loss"].item() == float("-inf")


def test_stops_at_the_fault_itself_where_its_check_is_asked_for(opened):
    shells, _ = opened("non-finite-value", count=6)
    assert [banner.rpartition(" · ")[0] for banner, _ in shells] == ["stetho · step 5 · non-finite-value"]
    assert opened("overflow", count=6)[0] == []


def test_can_go_on_to_the_next_step(opened):
    def act(names):
        if names["step"] == 1:
            with pytest.raises(breaks.leave.__globals__["Leave"]):
                names["next_step"]()

    shells, _ = opened("step == 2", act=act)
    assert [banner.split(" · ")[1] for banner, _ in shells] == ["step 2", "step 3"]


def test_without_a_terminal_the_step_is_written_down(opened, capsys):
    shells, path = opened("loss < 100 and step == 3", terminal=False)
    assert shells == []
    assert [folder.name for folder in path.glob("bundle-*")] == ["bundle-step-00000003"]
    assert "there is no terminal, so the step is written down" in capsys.readouterr().err


def test_without_a_terminal_a_check_is_told_as_well(opened, capsys, monkeypatch):
    monkeypatch.setattr(breaks, "FINDINGS_FILE", "run.json")
    monkeypatch.setattr(breaks, "read_lines", lambda _: [{"check": "dead-relu"}])
    _, path = opened("dead-relu", terminal=False)
    assert len(list(path.glob("bundle-*"))) == 1
    assert capsys.readouterr().err.count("(dead-relu): there is no terminal, so the step is written down") == 1


def test_conditions_over_gradients_and_rates_hold(opened):
    shells, _ = opened("grad_norm > 0 and lr == 0.1 and step < 3")
    assert len(shells) == 2


def test_an_unknown_name_is_told_before_anything_runs():
    with pytest.raises(UsageError, match="unknown name `losss`"):
        stetho.watch(break_at="losss > 1")
