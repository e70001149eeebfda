"""The order of the samples, and the end of a loop that comes too early."""

from pathlib import Path

import pytest

from stetho.capture.text.order import left_at, order_made_at, rounds_written_at

ORDERS = {
    "rows of an order": ("order = arange(9)\nfor i in range(3):\n    rows = order[i:9]\n    model(x[rows])", 4, 1),
    "a batch by name": ("rows = arange(9)\nbatch = x[rows]\nmodel(batch)", 3, 1),
    "slices in a loop": ("for start in range(0, 9, 3):\n    model(x[start : start + 3])", 2, 1),
    "lists of rows that a function puts together": (
        "def parts(y):\n    all = []\n    for k in range(3):\n        all.append(rows_of(y, k))\n    return all\n"
        "for rows in parts(y):\n    model(x[rows])",
        7,
        4,
    ),
    "lists of rows that a function gives one by one": (
        "def parts(y):\n    for k in range(3):\n        yield rows_of(y, k)\nbatches = parts(y)\n"
        "for rows in batches:\n    model(x[rows])",
        6,
        3,
    ),
    "inside of the loss": ("order = arange(9)\nloss = f(model(x[order]), y[order])", 2, 1),
}


@pytest.mark.parametrize(("text", "called", "made"), ORDERS.values(), ids=ORDERS)
def test_the_line_that_orders_is_found(text: str, called: int, made: int, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(text)
    assert order_made_at(f"{file}:{called}") == f"{file}:{made}"


def test_a_batch_that_is_no_part_of_an_array_has_no_order(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("for x in loader:\n    model(x)")
    assert order_made_at(f"{file}:2") is None


LEFT = {
    "a break": ("for x in loader:\n    model(x)\n    if done:\n        break", 4),
    "a return": ("def f():\n    for x in loader:\n        model(x)\n        return x", 4),
    "not that of an inner loop": ("for x in loader:\n    for y in x:\n        break\n    break", 4),
    "nothing": ("for x in loader:\n    model(x)", None),
    "several": ("for x in loader:\n    if x:\n        break\n    break", None),
}


@pytest.mark.parametrize(("text", "left"), LEFT.values(), ids=LEFT)
def test_the_line_that_leaves_a_loop_is_found(text: str, left: int | None, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(text)
    begun = 1 + text.splitlines().index(next(line for line in text.splitlines() if "in loader" in line))
    assert left_at(f"{file}:{begun}") == (f"{file}:{left}" if left else None)


ROUNDS = {
    "a constant": ("EPOCHS = 3\nfor e in range(EPOCHS):\n    for x in data:\n        step()", 4, 1),
    "from one on": ("N = 3\nfor e in range(1, N + 1):\n    step()", 3, 2),
    "a setting": ("def fit(epochs=5):\n    for e in range(epochs):\n        step()\n\nfit()", 3, 1),
    "a loader": ("for x in data:\n    step()", 2, None),
    "no loop": ("step()", 1, None),
}


@pytest.mark.parametrize(("text", "step", "written"), ROUNDS.values(), ids=ROUNDS)
def test_the_number_of_rounds_is_found(text: str, step: int, written: int | None, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(text)
    assert rounds_written_at(f"{file}:{step}") == (f"{file}:{written}" if written else None)


def test_lists_of_rows_that_come_from_elsewhere_have_no_order(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("for rows in sampler:\n    model(x[rows])")
    assert order_made_at(f"{file}:2") is None
