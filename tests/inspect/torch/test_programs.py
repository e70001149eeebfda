"""Tests of the model that a program calls first."""

from pathlib import Path

import pytest
from torch import nn

from stetho.capture.launch import Program
from stetho.errors import UsageError
from stetho.inspect.torch.programs import first_call

pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.*` is deprecated:DeprecationWarning")

COMPILED = """
import torch
model = torch.compile(torch.nn.Linear(2, 1))
model(torch.ones(3, 2))
"""


def program(folder: Path, text: str) -> Program:
    file = folder / "train.py"
    file.write_text(text)
    return Program(str(file))


def test_the_module_inside_of_a_compiled_one_is_the_model(tmp_path: Path) -> None:
    model, call = first_call(program(tmp_path, COMPILED))
    assert type(model) is nn.Linear
    assert call.args[0].shape == (3, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "called no model with parameters"),
        ("raise ValueError('bad words')", r"ended before it called a model \(ValueError: bad words at .*train.py:1\)"),
        ("import sys; sys.exit(4)", "exit status 4"),
    ],
)
def test_a_program_that_calls_no_model_is_one_clear_error(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        first_call(program(tmp_path, text))


def test_modules_can_be_called_again_afterwards(tmp_path: Path) -> None:
    before = nn.Module.__call__
    first_call(program(tmp_path, COMPILED))
    assert nn.Module.__call__ is before
