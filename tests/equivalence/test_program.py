"""Whole programs; what runs them is taken out here but for one test, and tested beside it."""

from pathlib import Path

import pytest
import torch
from torch import nn

from stetho.capture.launch import Program
from stetho.comparing.ways import ProgramFailed
from stetho.equivalence import program as programs
from tests.comparing.conftest import record  # noqa: F401  # a fixture
from tests.comparing.trainings import Net, Record, batches

TRAINING = """
import os
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
step = 0
if os.path.exists("last.pt"):
    kept = torch.load("last.pt")
    step = kept["step"]
    for name, part in {parts}:
        part.load_state_dict(kept[name])
while step < 9:
    torch.manual_seed(step)
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step(), schedule.step(), optimizer.zero_grad()
    step += 1
    parts = (("model", model), ("optimizer", optimizer), ("schedule", schedule))
    torch.save({{"step": step}} | {{name: part.state_dict() for name, part in parts}}, "last.pt")
"""
PARTS = '(("model", model), ("optimizer", optimizer), ("schedule", schedule))'


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


def later(steps: int):
    return list(batches(steps + 2))[2:]


def as_recorded(monkeypatch, **runs):
    """Give these in the place of recorded runs; what was asked for is written down."""
    asked = []

    def recorded(program, out, _options, steps, *, folder):
        asked.append((out.name, program.arguments, steps))
        if out.name == "begun":
            (folder / "last.pt").touch()
        return runs[out.name](steps), ""

    monkeypatch.setattr(programs, "record", recorded)
    return asked


@pytest.mark.parametrize("data", [later, batches])
def test_a_program_that_restores_nothing_is_told_so(record: Record, monkeypatch, data) -> None:  # noqa: F811
    def whole(steps: int):
        return record(steps=steps)

    asked = as_recorded(
        monkeypatch, whole=whole, begun=whole, resumed=lambda steps: record(steps=steps, data=data, seed=1)
    )
    found = programs.resume_program(Program("train.py"), ["--resume"], at=2, steps=2, say=lambda _: None)
    assert asked == [("whole", (), 5), ("begun", (), 3), ("resumed", ("--resume",), 2)]
    assert found.verdict.kind == "weights"
    assert found.reasons == ["the weights are not restored"]
    assert found.first_difference is not None
    assert found.first_difference.step == 3


def test_a_program_that_begins_anew_is_told_so_with_what_it_wrote(record: Record, monkeypatch) -> None:  # noqa: F811
    same = lambda steps: record(steps=steps)  # noqa: E731
    as_recorded(monkeypatch, whole=same, begun=same, resumed=same)
    with pytest.raises(ProgramFailed, match=r"began anew .* up to step 2 it wrote last.pt; choose a later step"):
        programs.resume_program(Program("train.py"), [], at=2, steps=2, say=lambda _: None)


def test_a_program_that_keeps_its_state_elsewhere_is_told_so(record: Record, monkeypatch) -> None:  # noqa: F811
    same = lambda steps: record(steps=steps)  # noqa: E731
    as_recorded(monkeypatch, whole=same, begun=lambda steps: record(steps=steps, seed=1), resumed=same)
    with pytest.raises(ProgramFailed, match=r"does not begin alike .* outside of the folder"):
        programs.resume_program(Program("train.py"), [], at=2, steps=2, say=lambda _: None)


def test_a_checkpoint_of_an_earlier_step_is_known_by_its_weights(record: Record, monkeypatch) -> None:  # noqa: F811
    kept = {}

    def after(model: nn.Module, _optimizer: object, step: int) -> None:
        kept[step] = [each.detach().clone() for each in model.parameters()]

    def restored() -> nn.Module:
        found = Net()
        for each, value in zip(found.parameters(), kept[1], strict=True):
            each.data.copy_(value)
        return found

    def whole(steps: int):
        return record(steps=steps, after=after, optimizer=lambda p: torch.optim.SGD(p, lr=0.1))

    def resumed(steps: int):
        data = lambda steps: list(batches(steps + 1))[1:]  # noqa: E731
        return record(steps=steps, model=restored, data=data, optimizer=lambda p: torch.optim.SGD(p, lr=0.1))

    as_recorded(monkeypatch, whole=whole, begun=whole, resumed=resumed)
    found = programs.resume_program(Program("train.py"), [], at=3, steps=2, say=lambda _: None)
    assert found.is_equal, str(found)
    assert found.names[1] == "started again, from its checkpoint after step 1"


@pytest.mark.parametrize(
    ("parts", "reason"),
    [(PARTS, None), ('(("model", model), ("optimizer", optimizer))', "scheduler")],
    ids=["all of it", "no schedule"],
)
def test_a_program_that_goes_on_wherever_it_finds_a_checkpoint_is_tested(parts: str, reason: str | None) -> None:
    Path("train.py").write_text(TRAINING.format(parts=parts))
    found = programs.resume_program(Program("train.py"), [], at=3, steps=2, say=lambda _: None)
    assert found.is_equal == (reason is None), str(found)
    assert reason is None or reason in found.reasons[0]
    assert not Path("last.pt").exists()
