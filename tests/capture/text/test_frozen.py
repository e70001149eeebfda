"""The line that freezes a parameter."""

from pathlib import Path

import pytest

from stetho.capture.text.frozen import frozen_at

CASES = {
    "a loop": ("for p in net.body.parameters():\n    p.requires_grad = False", 2),
    "a call": ("net.body.requires_grad_(False)", 1),
    "a switch": ("def freeze(part, on):\n    for p in part.parameters():\n        p.requires_grad = not on", 3),
    "the one with its name": ("net.head.requires_grad_(False)\nnet.body.requires_grad_(False)", 2),
    "thawed elsewhere": ("net.body.requires_grad_(False)\nnet.body.requires_grad_(True)", 1),
}


@pytest.mark.parametrize(("text", "line"), CASES.values(), ids=CASES)
def test_the_line_that_freezes_is_found(text: str, line: int, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(text)
    assert frozen_at((str(file),), "body.0.weight") == f"{file}:{line}"


def test_of_several_that_do_not_name_it_none_is_told(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("net.head.requires_grad_(False)\nnet.tail.requires_grad_(False)")
    assert frozen_at((str(file),), "body.0.weight") is None


def test_thawing_is_not_freezing(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("net.body.requires_grad_(True)\nfor p in net.parameters():\n    p.requires_grad = True")
    assert frozen_at((str(file),), "body.0.weight") is None
