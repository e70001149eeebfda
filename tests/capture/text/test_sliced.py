"""Where the size of batches is written that a loop takes by hand."""

from pathlib import Path

import pytest

from stetho.capture.text.sliced import batch_written_at


@pytest.mark.parametrize(
    ("program", "at", "wanted"),
    [
        ("for row in randperm(900).split(1):\n    loss = mse(model(x[row]), y[row])\n", 2, 1),
        ("SIZE = 64\nfor row in torch.split(order, SIZE):\n    model(x[row])\n", 3, 1),
        ("SIZE = 64\nfor i in range(0, n, SIZE):\n    rows = order[i : i + SIZE]\n    model(x[rows])\n", 4, 1),
        ("for epoch in range(0, 9, 2):\n    model(x)\n", 2, None),
        ("for epoch in range(9):\n    for rows in order.split(8):\n        model(x[rows])\n", 3, 2),
        ("for x in loader:\n    model(x)\n", 2, None),
        ("model(x)\n", 1, None),
    ],
)
def test_finds_the_size(tmp_path: Path, program: str, at: int, wanted: int | None) -> None:
    file = tmp_path / "program.py"
    file.write_text(program)
    assert batch_written_at(f"{file}:{at}") == (f"{file}:{wanted}" if wanted is not None else None)
