"""Where the mode seems to be switched."""

from pathlib import Path

import pytest

from stetho.capture.text.modes import mode_at


@pytest.mark.parametrize(
    ("program", "at", "wanted"),
    [
        ("def score(m, x):\n    m.training = False\n    with no_grad():\n        return m(x)\n", 4, 2),
        ("m.eval\ny = m(x)\n", 2, 1),
        ("m.eval()\ny = m(x)\n", 2, None),
        ("m.training = True\ny = m(x)\n", 2, None),
        ("y = m(x)\nm.training = False\n", 1, None),
    ],
)
def test_finds_the_line_that_switches_nothing(tmp_path: Path, program: str, at: int, wanted: int | None) -> None:
    file = tmp_path / "program.py"
    file.write_text(program)
    assert mode_at(f"{file}:{at}") == (f"{file}:{wanted}" if wanted is not None else None)
