"""Nothing that a pickle names is ever called: weights are rebuilt, dangerous names refused, others kept opaque."""

import os
import pickle
from pathlib import Path
from typing import Any

import pytest

from stetho.checkpoints.nested import Opaque
from stetho.checkpoints.pickles.known import find
from stetho.checkpoints.pickles.stream import PickleStream
from stetho.checkpoints.pickles.weights import unpickled
from stetho.checkpoints.stored import HeldBytes
from stetho.errors import CheckpointRefused


class Bomb:
    """Runs a command when it is unpickled."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (self.command,)


def test_a_pickle_that_runs_a_command_is_refused_and_nothing_runs(tmp_path: Path) -> None:
    content = pickle.dumps({"weights": Bomb(f"touch {tmp_path}/it-ran")})
    with pytest.raises(CheckpointRefused, match=r"posix\.system.*nothing of it was run"):
        unpickled(PickleStream(HeldBytes(content)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name",
    [
        "builtins eval",
        "builtins exec",
        "builtins getattr",
        "__builtin__ apply",
        "nt system",
        "subprocess Popen",
        "runpy f",
    ],
)
def test_names_that_weights_never_need_are_refused(name: str) -> None:
    module, function = name.split()
    with pytest.raises(CheckpointRefused, match="weights never need"):
        find(module, function)


def test_memory_cannot_be_asked_for_by_a_harmless_name() -> None:
    assert find("builtins", "bytearray")(1 << 40) == b""
    assert find("builtins", "list")(10) == []


@pytest.mark.parametrize(
    ("module", "name"), [("pathlib", "PosixPath"), ("their.code", "Config"), ("torch.nn", "Linear")]
)
def test_other_objects_stay_opaque(module: str, name: str) -> None:
    made = find(module, name)("argument")
    assert isinstance(made, Opaque)
    assert (made.kind, made.arguments) == (f"{module}.{name}", ("argument",))


def test_containers_are_the_plain_ones() -> None:
    assert find("collections", "OrderedDict")() == {}
    assert find("collections", "defaultdict")(find("builtins", "list")) == {}
    assert find("builtins", "set")([1]) == [1]
