"""An error of ours at any capture point never reaches the program: it trains and ends as it does bare."""

import gc
import json
import re
import weakref
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import stetho
from stetho.capture.guard import fault_at

SOURCE = Path(__file__).parents[2] / "src" / "stetho"
POINTS = sorted(
    {
        point
        for file in SOURCE.glob("**/*.py")
        if file.name != "guard.py" and "profiling" not in file.parts
        for point in re.findall(r'wrap\(\s*"([^"]+)"', file.read_text(encoding="utf-8"))
    }
)
"""Every capture point by its name, as the source declares them; the profiler has its own."""

PARTS = re.findall(r'spare\(\s*"([^"]+)"', (SOURCE / "capture" / "torch" / "spares.py").read_text(encoding="utf-8"))
"""Every part that may be lost alone."""

ON_DEMAND = {"shell"}
"""Points that a program comes to only if it asks for them."""
AT_COMPILE = {"compile", "compiled module", "compiled in place"}
AT_NAN = {"tape read"}


@pytest.fixture(autouse=True)
def no_fault_stays():
    yield
    fault_at(None)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 8)
        self.register_module("second", nn.Linear(8, 2))
        self.scale = nn.Parameter(torch.ones(2))

    def forward(self, x):
        return self.second(torch.relu(self.first(x))) * self.scale


def train_with_everything(*, compiled=False, references=None, reads_nan=False):
    """A training that passes through every capture point; what it computed, as bytes."""
    references = [] if references is None else references
    torch.manual_seed(0)
    model = Net()
    model.load_state_dict(model.state_dict())
    nn.init.ones_(model.scale)
    model.register_forward_hook(lambda *_: None).remove()
    if compiled:
        model.second.compile(backend="eager")
        model = torch.compile(model, backend="eager")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)
    scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
    loader = DataLoader(TensorDataset(torch.randn(32, 6), torch.randint(2, (32,))), batch_size=8, shuffle=True)
    references += [weakref.ref(thing) for thing in (model, optimizer, *model.parameters())]
    losses = []
    for epoch in range(2):
        for x, y in loader:
            model.train(epoch == 0)
            optimizer.zero_grad()
            slopes = torch.autograd.grad(model(x), model.scale, torch.ones(len(x), 2))
            losses.append(slopes[0].sum().item())
            slopes = torch.autograd.grad(model(x).sum(), list(model.parameters()))
            losses.append(slopes[0].sum().item())
            loss = nn.functional.cross_entropy(nn.functional.dropout(model(x), 0.1), y)
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            nn.utils.clip_grad_value_(model.parameters(), 0.5)
            scaler.step(optimizer)
            scaler.update()
            scheduler.step()
            losses.append(loss.item())
        with torch.no_grad():
            output = model(x)
            compared = output.argmax(1) == y if epoch == 0 else output - output.roll(1)
            losses.append(compared.sum().item())
            losses.append(torch.nan_to_num(output).sum().item())
            if reads_nan:
                losses.append(str((model(x).sum() * float("nan")).item()))
            middle = model(x)
            losses.append(torch.normal(middle, 1.0).sum().item())
            model(x)
            losses.append((y == y.flip(0)).sum().item())
        stetho.log(epoch=epoch)
    weights = [parameter.detach().numpy().tobytes() for parameter in model.parameters()]
    return losses, weights, torch.get_rng_state().numpy().tobytes()


@pytest.mark.parametrize("point", POINTS)
def test_training_goes_on_as_if_nobody_had_watched(point, tmp_path, capsys, monkeypatch):
    compiled, reads_nan = point in AT_COMPILE, point in AT_NAN
    bare = train_with_everything(compiled=compiled, reads_nan=reads_nan)
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    references = []
    fault_at(point)
    monkeypatch.setattr("stetho.interacting.has_terminal", lambda: True)
    with stetho.watch(model, optimizer, every=1, finite=True, out=str(tmp_path)):
        if point in ON_DEMAND:
            stetho.shell()
        watched = train_with_everything(compiled=compiled, references=references, reads_nan=reads_nan)
        gc.collect()
        # A compiler keeps what it has compiled.
        assert compiled or [reference() for reference in references if reference() is not None] == []

    assert watched == bare
    said = [line for line in capsys.readouterr().err.splitlines() if line]
    assert len(said) == 1
    assert f"`{point}`" in said[0]
    (file,) = tmp_path.glob("*/run.json")
    trace = json.loads(file.read_text())["capture_error"]
    assert trace.startswith("Traceback")
    assert f"fault injected at `{point}`" in trace


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_lost_alone(part, tmp_path, capsys):
    bare = train_with_everything()
    references = []
    fault_at(part)
    with stetho.watch(every=1, out=str(tmp_path)) as watch:
        watched = train_with_everything(references=references)
        gc.collect()
        assert [reference() for reference in references if reference() is not None] == []

    assert watched == bare
    run = stetho.open_run(watch.path)
    assert run.info["capture_error"] is None
    assert run.table("steps")["step"].to_pylist() == list(range(1, 9))
    said = [line for line in capsys.readouterr().err.splitlines() if f"«{part}»" in line]
    notes = [note for note in run.notes if note["kind"] == "lost"]
    # Some parts are not asked in a program without their subject; each that is says so once.
    assert len(said) == len(notes) <= 1
    assert all(f"fault injected at `{part}`" in note["traceback"] for note in notes)


def test_most_parts_are_asked_in_a_usual_program(tmp_path):
    asked = []
    for part in PARTS:
        fault_at(part)
        with stetho.watch(every=1, out=str(tmp_path / part), quiet=True) as watch:
            train_with_everything()
        asked += [part for note in stetho.open_run(watch.path).notes if note["kind"] == "lost"]
    assert len(asked) > len(PARTS) / 2


def test_the_run_keeps_the_steps_before_the_error(tmp_path):
    class Late(stetho.Callback):
        def on_step_end(self, step, *_):
            if step == 5:
                fault_at("backward begin")

    with stetho.watch(every=1, out=str(tmp_path), callbacks=Late()) as watch:
        train_with_everything()
    assert stetho.open_run(watch.path).table("steps")["step"].to_pylist() == [1, 2, 3, 4, 5]


def test_a_program_under_stetho_run_ends_as_it_does_bare(programs, start_watched, tmp_path):
    (tmp_path / "fault.py").write_text(
        "from stetho.capture.guard import fault_at\n\n\ndef inject():\n    fault_at('step end')\n"
    )
    bare = programs.bare("sys_exit_code")
    watched = start_watched("sys_exit_code", "-q", "--startup", "fault:inject")

    assert (watched.output, watched.status) == (bare.output, bare.status)
    assert len(watched.errors.splitlines()) == 1
    assert "`step end`" in watched.errors
    info = watched.run().info
    assert "fault injected at `step end`" in info["capture_error"]
    assert info["exit"]["code"] == 7
