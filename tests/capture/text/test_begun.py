"""Where a loop makes the state that each piece begins with."""

from pathlib import Path

import pytest

from stetho.capture.text.begun import state_made_at


@pytest.mark.parametrize(
    ("program", "at", "wanted"),
    [
        ("for x in pieces:\n    h = torch.zeros(1)\n    y, h = net(x, h)\n", 3, 2),
        ("for x in pieces:\n    h = net.begin()\n    y = net(x, state=h)\n", 3, 2),
        ("h = None\nfor x in pieces:\n    y, h = net(x, h)\n", 3, 3),
        ("for x in pieces:\n    net.reset_state()\n    y = net(x)\n", 3, 2),
        ("for x in pieces:\n    optimizer.zero_grad()\n    y = net(x)\n", 3, 3),
        ("x = pieces[0]\ny = net(x)\n", 2, 2),
    ],
)
def test_finds_the_line_that_begins_anew(tmp_path: Path, program: str, at: int, wanted: int) -> None:
    file = tmp_path / "program.py"
    file.write_text(program)
    assert state_made_at(f"{file}:{at}") == f"{file}:{wanted}"
