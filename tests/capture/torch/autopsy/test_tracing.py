"""Tracing of a watched program."""

import json

import pytest
import torch
from torch.nn import functional

from stetho.records import StepsReached

from .numerics import X, Y, mlp, steps


def test_ends_the_program_after_the_step_with_the_fault(record):
    model, seen = mlp(), []

    def program():
        def loss():
            seen.append(1)
            out = model(X)
            return (-out.softmax(1).log().mean()) if len(seen) < 4 else (out * 0).log().mean()

        with pytest.raises(StepsReached):
            steps(model, loss, count=9)

    run = record(program, None, None, trace_from=2, quiet=True)
    assert len(seen) == 4
    trace = json.loads((run.path / "trace.json").read_text())
    assert (trace["step"], trace["births"][0]["expression"]) == (4, "log(0)")
    assert run.model["probes"]["autopsy"]["faults"][0]["operation"] == "log"


def test_operations_of_our_own_are_not_in_the_trace(record):
    model = mlp()
    run = record(lambda: steps(model, lambda: functional.cross_entropy(model(X), Y)), None, None, trace_from=1)
    trace = json.loads((run.path / "trace.json").read_text())
    assert trace["births"] == []
    assert trace["operations"] < 60
    assert torch.utils._python_dispatch._len_torch_dispatch_stack() == 0
