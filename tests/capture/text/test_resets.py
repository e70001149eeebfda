"""The line of a training loop that sets the parameters anew."""

from pathlib import Path

import pytest

from stetho.capture.text.resets import reset_at

CASES = {
    "apply in the loop": ("for epoch in range(3):\n    net.apply(init)\n    optimizer.step()", 3, 2),
    "apply before the loop": ("net.apply(init)\nfor epoch in range(3):\n    optimizer.step()", 3, None),
    "a method": ("def fit():\n    for e in range(3):\n        net.fc.reset_parameters()\n        opt.step()", 4, 3),
    "a function of its own": (
        "def fresh(net):\n    nn.init.normal_(net.weight)\n\nfor e in range(3):\n    fresh(net)\n    opt.step()",
        6,
        5,
    ),
    "at the head of an epoch": ("def epoch():\n    net.apply(init)\n    for x in data:\n        opt.step()", 4, 2),
    "beside the call of an epoch": (
        "def epoch():\n    for x in data:\n        opt.step()\n\n"
        "for fold in range(3):\n    for e in range(9):\n        net.apply(init)\n        epoch()",
        3,
        7,
    ),
    "before the loop over epochs": (
        "def epoch():\n    opt.step()\n\n"
        "for fold in range(3):\n    net.apply(init)\n    for e in range(9):\n        epoch()",
        2,
        None,
    ),
    "beside the call of a method": (
        "class T:\n    def epoch(self):\n        opt.step()\n\n    def fit(self):\n        while True:\n"
        "            self.net.reset_parameters()\n            self.epoch()",
        3,
        7,
    ),
    "two of them": ("for e in range(3):\n    a.apply(init)\n    b.apply(init)\n    opt.step()", 4, None),
}


@pytest.mark.parametrize(("text", "step", "reset"), CASES.values(), ids=CASES)
def test_the_line_that_resets_is_found(text: str, step: int, reset: int | None, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(text)
    assert reset_at(f"{file}:{step}") == (f"{file}:{reset}" if reset else None)
