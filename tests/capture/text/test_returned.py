"""A call is followed to the line where the function of the program gives its value back."""

from pathlib import Path

import pytest

from stetho.capture.text.assignments import loss_made_at

CLASS = "class Dice(Module):\n    def forward(self, a, b):\n        return a * b\n"
CASES = {
    "a function": ("def dice(a):\n    return a\nloss = dice(x)\nloss.backward()", 4, 2),
    "an object": (CLASS + "dice = Dice()\nloss = dice(x, y)\nloss.backward()", 6, 3),
    "one of several objects": (CLASS + "net, dice = Net(), Dice()\nloss = dice(x, y)\nloss.backward()", 6, 3),
    "an object that is handed over": (
        CLASS + "def fit(error):\n    loss = error(x, y)\n    loss.backward()\nfit(Dice())",
        6,
        3,
    ),
    "an object that is held": (
        CLASS + "class Trainer:\n    def __init__(self):\n        self.error = Dice()\n"
        "    def fit(self):\n        loss = self.error(x, y)\n        loss.backward()",
        9,
        3,
    ),
    "a class of a library": ("error = MSELoss()\nloss = error(x, y)\nloss.backward()", 3, 2),
    "two functions of one name": (
        "class A:\n    def dice(self):\n        return 1\nclass B:\n    def dice(self):\n        return 2\n"
        "loss = a.dice()\nloss.backward()",
        8,
        7,
    ),
}


@pytest.mark.parametrize(("text", "backward", "made"), CASES.values(), ids=CASES)
def test_a_loss_is_made_where_it_is_given_back(text: str, backward: int, made: int, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(text)
    assert loss_made_at(f"{file}:{backward}") == f"{file}:{made}"
