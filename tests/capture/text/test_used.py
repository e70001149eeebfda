"""The line that uses an argument first is found in the text of the program."""

from pathlib import Path

import pytest

from stetho.capture.text.used import argument_used_at

PROGRAM = """\
class Net(Module):
    def forward(self, source, target):
        memory = self.encoder(source)
        shifted = target
        return self.decoder(shifted, memory, len(target))

def free(x):
    return x
"""


@pytest.mark.parametrize(
    ("line", "number", "used"), [(5, 1, 4), (5, 0, None), (5, 2, None), (8, 1, None), (99, 1, None)]
)
def test_the_first_use_of_the_last_argument(tmp_path: Path, line: int, number: int, used: int | None) -> None:
    file = tmp_path / "net.py"
    file.write_text(PROGRAM)
    assert argument_used_at(f"{file}:{line}", number) == (f"{file}:{used}" if used else None)
