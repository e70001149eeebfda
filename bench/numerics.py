"""What others say about the table of numerics cases: `detect_anomaly`, transformers' debugger and torchlens.

python -m bench.numerics    prints a Markdown table for docs/explanation/nan-autopsy.md
"""

import contextlib
import io
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.capture.torch.autopsy import benign_cases, fault_cases, numerics, program_benign_cases, program_fault_cases

TABLES = (fault_cases, benign_cases, program_fault_cases, program_benign_cases)
Peer = Callable[[Callable[[], None]], str]
"""Runs a training and gives what the peer said, empty if it was silent."""


def detect_anomaly(program: Callable[[], None]) -> str:
    """Anomaly mode raises at the first NaN of a backward pass, and warns with the stack of the forward operation."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            with torch.autograd.set_detect_anomaly(True):
                program()
        except RuntimeError as error:
            return f"{error}\n" + "\n".join(str(each.message) for each in said)
    return ""


def underflow_overflow(program: Callable[[], None]) -> str:
    """The debugger of transformers hangs on one model, and stops at the first bad output of a layer."""
    from transformers.debug_utils import DebugUnderflowOverflow

    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output), each_model(DebugUnderflowOverflow):
            program()
    except Exception as error:
        return f"{error}\n{output.getvalue()}"
    return ""


def torchlens(program: Callable[[], None]) -> str:
    """The search of torchlens runs a model once more on the inputs of each call, and names the first bad operation."""
    from torchlens.debug import find_nan

    said: list[str] = []

    def search(model: Any, inputs: tuple[Any, ...]) -> None:
        nonlocal is_searching
        if is_searching:
            return
        is_searching = True
        with contextlib.suppress(Exception):
            found = find_nan(model, list(inputs))
            if found.found:
                file, _, line = str(found.source_line).rpartition(":")
                said.append(f'{found.func_name} "{file}", line {line}')
        is_searching = False

    is_searching = False
    with contextlib.suppress(Exception), each_model(lambda model: model.register_forward_pre_hook(search)):
        program()
    return "\n".join(said)


@contextlib.contextmanager
def each_model(attach: Callable[[Any], object]) -> Iterator[None]:
    """Hand every model that a case trains to a peer, before its first step."""
    original = numerics.steps

    def steps(model: Any, *args: Any, **kwargs: Any) -> None:
        attach(model)
        original(model, *args, **kwargs)

    for cases in TABLES:
        cases.steps = steps
    try:
        yield
    finally:
        for cases in TABLES:
            cases.steps = original


def score(peer: Peer) -> dict[str, int]:
    """How many faults a peer notices, names the operation of, and names the line of; and its false alarms."""
    counts = {"noticed": 0, "operation": 0, "line": 0, "false": 0}
    for fault in numerics.FAULTS.values():
        said = quietly(peer, fault.program)
        file, _, line = fault.line.rpartition(":")
        counts["noticed"] += bool(said)
        counts["operation"] += bool(fault.operation) and fault.operation.replace("_", "") in said.lower()
        counts["line"] += bool(file) and f'"{file}", line {line}' in said
    for program in numerics.BENIGN.values():
        counts["false"] += bool(quietly(peer, program))
    return counts


def quietly(peer: Peer, program: Callable[[], None]) -> str:
    """What a peer says, whatever warnings the program itself gives."""
    with warnings.catch_warnings(), contextlib.suppress(ImportError):
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        return peer(program)
    return ""


def main() -> None:
    """Print the table."""
    torch.set_num_threads(1)
    faults, benign = len(numerics.FAULTS), len(numerics.BENIGN)
    print(f"| of {faults} faults and {benign} benign trainings | noticed | operation | line | false alarms |")
    print("|---|---|---|---|---|")
    for name, peer in (
        ("torch.autograd.detect_anomaly", detect_anomaly),
        ("transformers' DebugUnderflowOverflow", underflow_overflow),
        ("torchlens.debug.find_nan", torchlens),
    ):
        counts = score(peer)
        print(f"| {name} | {counts['noticed']} | {counts['operation']} | {counts['line']} | {counts['false']} |")


if __name__ == "__main__":
    main()
