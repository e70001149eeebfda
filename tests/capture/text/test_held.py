"""Where a plain container holds layers."""

from pathlib import Path

import pytest

from stetho.capture.text.held import held_at

PROGRAM = "class Part(Module):\n    def __init__(self):\n        self.body = Linear(2, 2)\nclass Net(Module):\n"


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("self.parts = [Part() for _ in range(3)]", 6),
        ("self.parts = {'a': Part(), 'b': Part()}", 6),
        ("self.parts = list(Part() for _ in range(3))", 6),
        ("self.parts = ModuleList([Part() for _ in range(3)])", None),
        ("self.part = Part()", None),
        ("self.parts = [Linear(2, 2)]", None),
    ],
)
def test_finds_the_container(tmp_path: Path, written: str, wanted: int | None) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"{PROGRAM}    def __init__(self):\n        {written}\n")
    assert held_at(f"{file}:3") == (f"{file}:{wanted}" if wanted is not None else None)
