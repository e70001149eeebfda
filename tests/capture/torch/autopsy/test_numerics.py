"""The table of numerics cases: every fault is traced to its operation and its line, and nothing else is a fault."""

import pytest

from . import benign_cases, fault_cases, program_benign_cases, program_fault_cases  # noqa: F401  # they enter their cases
from .numerics import BENIGN, FAULTS


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", FAULTS)
def test_finds_the_operation_and_the_line_of(name, record):
    fault = FAULTS[name]
    run = record(fault.program, None, None, quiet=True)

    found = run.model["probes"]["autopsy"]["faults"][0]
    assert "failed" not in found, found["failed"]
    assert (found["phase"], found.get("operation", "")) == (fault.phase, fault.operation)
    assert fault.contains in found.get("expression", "")
    assert found["line"] == fault.line
    if fault.layer is not None:
        assert found["layer"] == fault.layer
    if fault.trigger is not None:
        assert found["trigger"] == fault.trigger


@pytest.mark.parametrize("name", BENIGN)
def test_is_silent_about(name, record):
    run = record(BENIGN[name], None, None, quiet=True)

    assert "autopsy" not in run.model.get("probes", {})
    assert run.info["steps"] > 0


def test_the_table_is_large_enough():
    assert len(FAULTS) >= 30
    assert len(BENIGN) >= 30
