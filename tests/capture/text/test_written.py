"""The line that writes to parameters beside the optimizer is found in the text of the program."""

from pathlib import Path

import pytest

from stetho.capture.text.written import written_at

BEFORE = "for p in model.parameters():\n    p.requires_grad_(True)\nfor step in range(9):\n    optimizer.step()\n"


@pytest.mark.parametrize(
    ("program", "line"),
    [
        ("    for p, t in zip(model.parameters(), total):\n        p.copy_(t / seen)\n", 6),
        ("    for name, p in model.named_parameters():\n        p.data.mul_(0.5)\n", 6),
        ("    for p in model.parameters():\n        p.mul_(0).div_(count)\n", 6),
        ("    model.head.weight.data = new\n", 5),
        ("    for p in net.parameters():\n        p /= n\n", 6),
        ("    for p in net.parameters():\n        q = p / n\n        p.grad.div_(n)\n", None),
        ("    a.weight.data.div_(n)\n    b.weight.data.mul_(n)\n", None),
        ("    total.div_(n)\n", None),
    ],
)
def test_the_one_line_that_writes_to_parameters(tmp_path: Path, program: str, line: int | None) -> None:
    file = tmp_path / "train.py"
    file.write_text(BEFORE + program)
    assert written_at(f"{file}:4") == (f"{file}:{line}" if line else None)
