"""Where a state goes on from batch to batch."""

from pathlib import Path

import pytest

from stetho.capture.text.carried import carried_at

MODEL = """\
class Net(Module):
    def __init__(self):
        self.h = None
    def forward(self, x):
        h0 = self.h if self.h is not None else None
        y, h = self.rnn(x, h0)
        self.h = h.detach()
        return y
for x in data:
    loss = model(x)
"""
STARTING = """\
class Net(Module):
    def start(self, batch):
        if self.memory is None:
            self.memory = zeros(batch)
    def forward(self, x):
        self.start(len(x))
        self.memory = self.cell(x, self.memory)
        return self.memory
for x in data:
    loss = model(x)
"""
CUT = "for x in data:\n    model.h = tuple(each.detach() for each in model.h)\n    loss = model(x)\n"
FRESH = "class Net:\n    def forward(self, x):\n        return self.rnn(x)\nfor x in data:\n    loss = model(x)\n"


@pytest.mark.parametrize(
    ("program", "called", "inside", "wanted"),
    [
        (MODEL, 10, 6, 5),
        (STARTING, 10, 7, 3),
        (MODEL.partition("for x")[0] + CUT, 11, 6, 10),
        (FRESH, 5, 3, None),
        ("y = model(x)\n", 1, 1, None),
    ],
)
def test_finds_the_line_that_takes_the_old_state(
    tmp_path: Path, program: str, called: int, inside: int, wanted: int | None
) -> None:
    file = tmp_path / "program.py"
    file.write_text(program)
    assert carried_at(f"{file}:{called}", f"{file}:{inside}") == (f"{file}:{wanted}" if wanted is not None else None)
