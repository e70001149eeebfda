"""Where a number of samples is written."""

from pathlib import Path

import pytest

from stetho.capture.text.amounts import amounts_at


@pytest.mark.parametrize(
    ("program", "wanted"),
    [
        ("train, test = order[:30], order[1400:]\n", {30: 1}),
        ("RECORDINGS = 24\nx = beats(RECORDINGS)\nrows = randint(0, 9, (24,))\n", {24: 1}),
        ("parser.add_argument('--patients', type=int, default=32)\n", {32: 1}),
        ("parser.add_argument('--epochs', type=int, default=32)\n", {}),
        ("def main(examples=150, epochs=40):\n    pass\n", {150: 1}),
        ("def study(n):\n    return n\nx = study(60)\nnet = Linear(60, 3)\n", {60: 3}),
        ("a = x[:30]\nb = y[:30]\n", {}),
        ("a = x[:30]\nn = 30\n", {30: 1}),
        ("BATCH_SIZE = 64\nfor rows in order.split(64):\n    pass\n", {}),
        ("ready = True\nshare = 0.5\n", {}),
    ],
)
def test_finds_the_line_of_each_number(tmp_path: Path, program: str, wanted: dict[int, int]) -> None:
    file = tmp_path / "program.py"
    file.write_text(program)
    assert amounts_at(str(file)) == {str(number): f"{file}:{line}" for number, line in wanted.items()}
