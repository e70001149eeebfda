"""Tests of the models that a program calls."""

from pathlib import Path

import pytest
from torch import nn

from stetho.capture.launch import Program
from stetho.errors import UsageError
from stetho.inspect.torch.programs import called_models
from stetho.inspect.torch.recording import record

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
    [found], _ = called_models(program(tmp_path, COMPILED))
    assert type(found.model) is nn.Linear
    assert found.call.args[0].shape == (3, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "called no model with parameters"),
        ("raise ValueError('bad words')", r"ended before it called a model \(ValueError: bad words at .*train.py:1\)"),
        ("import sys; sys.exit(4)", "exit status 4"),
        ("x = 1\nx ===", r"^[^\n]*\(SyntaxError: invalid syntax at [^\n]*train.py:2\)$"),
    ],
)
def test_a_program_that_calls_no_model_is_one_clear_error(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        called_models(program(tmp_path, text))


def test_modules_can_be_called_again_afterwards(tmp_path: Path) -> None:
    before = nn.Module.__call__
    called_models(program(tmp_path, COMPILED))
    assert nn.Module.__call__ is before


GAN = """
import torch
from torch import nn

class Trainer:
    def __init__(self):
        self.generator = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
        self.critic = nn.Linear(2, 1)
        self.average = nn.Linear(2, 1)

    def train(self):
        optimizer = torch.optim.SGD(self.critic.parameters(), lr=0.1)
        for step in range(100):
            fake = self.generator(torch.randn(6, 4))
            optimizer.zero_grad()
            self.critic(fake.detach()).mean().backward()
            optimizer.step()
        raise AssertionError("nobody wants all of it")

Trainer().train()
"""


def test_the_first_model_comes_with_the_names_of_the_others(tmp_path: Path) -> None:
    [found], known = called_models(program(tmp_path, GAN))
    assert found.name == "generator"
    assert known == ["generator", "critic", "average"]


@pytest.mark.parametrize("name", ["critic", "Linear"])
def test_a_model_is_chosen_by_the_name_of_its_variable_or_class(tmp_path: Path, name: str) -> None:
    [found], _ = called_models(program(tmp_path, GAN), name)
    assert found.name == "critic"
    assert found.call.args[0].shape == (6, 2)


def test_all_models_are_those_of_the_first_steps(tmp_path: Path) -> None:
    found, _ = called_models(program(tmp_path, GAN), "all")
    assert [(each.name, type(each.model).__name__) for each in found] == [
        ("generator", "Sequential"),
        ("critic", "Linear"),
    ]


def test_a_name_that_is_not_called_is_answered_with_those_that_are(tmp_path: Path) -> None:
    text = GAN.replace("range(100)", "range(2)").replace("raise", "pass #")
    with pytest.raises(
        UsageError, match=r"no model named `encoder`; it calls generator \(Sequential\), critic \(Linear\)"
    ):
        called_models(program(tmp_path, text), "encoder")


def test_a_model_without_code_of_its_own_has_the_line_that_calls_it(tmp_path: Path) -> None:
    text = "import torch\nnet = torch.nn.Sequential(torch.nn.Linear(2, 2))\n\nnet(torch.ones(1, 2))\n"
    ((found,), _) = called_models(program(tmp_path, text))
    lines = [operation.line for operation in record(found.model, found.call).operations]
    assert lines == [found.call.line]
    assert str(found.call.line).endswith(":4")
