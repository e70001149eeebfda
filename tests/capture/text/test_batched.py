"""The order of the rows that a generator gives out is found in the text of the program."""

from pathlib import Path

import pytest

from stetho.capture.text.order import order_made_at

PROGRAM = """\
def batches(x, y, size):
    order = {order}
    parts = [order[i : i + size] for i in range(0, len(order), size)]
    random.shuffle(parts)
    for part in parts:
        yield torch.from_numpy(x[part]), torch.from_numpy(y[part])

for epoch in range(9):
    for step, (a, b) in enumerate(batches(x, y, 8)):
        loss = mse(model(a), b)
"""


@pytest.mark.parametrize(("order", "made"), [("np.argsort(y)", 2), ("torch.randperm(len(x))", 2), ("x.rows", None)])
def test_rows_are_followed_into_the_generator(tmp_path: Path, order: str, made: int | None) -> None:
    file = tmp_path / "train.py"
    file.write_text(PROGRAM.format(order=order))
    assert order_made_at(f"{file}:10") == (f"{file}:{made}" if made else None)


def test_names_that_go_round_in_circles_end(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("def f(x):\n    a = b\n    b = a\n    yield x[b]\nfor x in f(y):\n    model(x)\n")
    assert order_made_at(f"{file}:6") is None


PARTS = "def parts(x, size):\n    start = 0\n    for i in range(0, len(x), size):\n        {given}\n"


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("yield x[start : start + size]", 4),
        ("yield x[i : i + size]", 3),
        ("yield x[start : start + size]\n        start += size", 3),
        ("yield x", None),
    ],
)
def test_parts_of_an_array_are_ordered_by_the_loop_that_moves_on(tmp_path: Path, given: str, made: int | None) -> None:
    file = tmp_path / "train.py"
    program = PARTS.format(given=given) + "for part in parts(x, 8):\n    model(part)\n"
    file.write_text(program)
    assert order_made_at(f"{file}:{program.count(chr(10))}") == (f"{file}:{made}" if made else None)


def test_rows_as_they_come_are_an_order(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(PROGRAM.format(order="torch.arange(len(x))"))
    assert order_made_at(f"{file}:10") == f"{file}:2"
