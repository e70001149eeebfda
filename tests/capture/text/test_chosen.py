"""The line that chooses the class of a layer is found in the text of the program."""

from pathlib import Path

import pytest

from stetho.capture.text.chosen import chosen_at

PROGRAM = """\
def mlp(sizes, activation=nn.ReLU):
    return Sequential(Linear(*sizes), activation())

class Net(Module):
    def __init__(self, act):
        self.act = act
        self.body = Sequential(Linear(4, 4), self.act())

one = mlp([4, 4], nn.Sigmoid)
net = Net(
    act=nn.Tanh,
)
"""


@pytest.mark.parametrize(
    ("line", "kind", "made"), [(2, "Sigmoid", 9), (2, "ReLU", None), (2, "Linear", None), (7, "Tanh", 11)]
)
def test_a_class_that_is_handed_over_is_followed(tmp_path: Path, line: int, kind: str, made: int | None) -> None:
    file = tmp_path / "net.py"
    file.write_text(PROGRAM)
    assert chosen_at(f"{file}:{line}", kind) == (f"{file}:{made}" if made else None)


def test_a_class_that_comes_from_two_places_is_chosen_nowhere(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text(PROGRAM + "two = mlp([4, 4], nn.Tanh)\n")
    assert chosen_at(f"{file}:2", "Sigmoid") is None
