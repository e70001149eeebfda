"""Whole programs; what runs them is taken out here, and tested beside it."""

import pytest

from stetho.capture.launch import Program
from stetho.equivalence import program as programs
from stetho.errors import UsageError
from tests.comparing.conftest import record  # noqa: F401  # a fixture
from tests.comparing.trainings import Record, batches


def later(steps: int):
    return list(batches(steps + 2))[2:]


@pytest.mark.parametrize(("data", "reason"), [(later, "weights"), (batches, "weights")])
def test_a_program_that_restores_nothing_is_told_so(record: Record, monkeypatch, data, reason: str) -> None:  # noqa: F811
    asked = []

    def recorded(program, _out, _options, steps):
        asked.append((program.arguments, steps))
        return record(steps=steps, data=data if "--resume" in program.arguments else batches), ""

    monkeypatch.setattr(programs, "record", recorded)
    found = programs.resume_program(Program("train.py"), ["--resume"], at=2, steps=2, say=lambda _: None)
    assert asked == [((), 4), ((), 3), (("--resume",), 2)]
    assert found.verdict.kind == reason
    assert found.reasons == ["the weights are not restored"]
    assert found.first_difference is not None
    assert found.first_difference.step == 3


def test_how_to_resume_has_to_be_said() -> None:
    with pytest.raises(UsageError, match="--with"):
        programs.resume_program(Program("train.py"), [], at=2, steps=2, say=lambda _: None)
