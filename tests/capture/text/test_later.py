"""Which of two lines comes later is told for lines of one function alone."""

from pathlib import Path

import pytest

from stetho.capture.text.later import is_later

PROGRAM = """\
def make():
    return Linear(4, 4)
optimizer = SGD(model.parameters())
model.head = Linear(4, 2)
for epoch in range(3):
    model.tail = Linear(4, 2)
"""


@pytest.mark.parametrize(("line", "than", "answer"), [(4, 3, True), (3, 4, False), (3, 2, False), (6, 3, False)])
def test_a_line_is_later_where_nothing_leads_back(tmp_path: Path, line: int, than: int, answer: bool) -> None:
    file = tmp_path / "train.py"
    file.write_text(PROGRAM)
    assert is_later(f"{file}:{line}", f"{file}:{than}") is answer
