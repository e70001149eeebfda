"""Where values come from, read off the text of a program."""

from pathlib import Path

import pytest

from stetho.capture.text.assignments import (
    input_made_at,
    loss_made_at,
    returned_at,
    sample_made_at,
    target_made_at,
    target_subtracted_at,
    variable_made_at,
)

PROGRAM = """
import torch

def likelihood(p, y):
    p = p.clamp(1e-5)
    return (y * p.log()).mean()

class Weighted:
    def __call__(self, p, y):
        return (p - y).pow(2).mean()

x = torch.randn(8, 4)
x_train, y = x[:6], x[6:]
criterion = Weighted()
loss = likelihood(model(x_train[rows]), y)
loss.backward()

def train(model, data, scaler):
    for rows in data:
        loss = criterion(model(rows), y)
        total = loss + 1
        loss.backward()
        (total / 4).backward()
        scaler.scale(total).backward()
        total.sum().backward()
    return total
"""


@pytest.fixture
def at(tmp_path: Path):
    """A place in the program by a part of its line, and the text at a place."""
    file = tmp_path / "train.py"
    file.write_text(PROGRAM)
    lines = PROGRAM.splitlines()

    def place(text, nth=0):
        return f"{file}:{[number for number, line in enumerate(lines, 1) if text in line][nth]}"

    def text(found):
        return None if found is None else lines[int(found.rpartition(":")[2]) - 1].strip()

    return place, text


@pytest.mark.parametrize(
    ("backward", "nth", "made"),
    [
        ("loss.backward", 0, "return (y * p.log()).mean()"),
        ("loss.backward", 1, "return (p - y).pow(2).mean()"),
        ("(total / 4).backward", 0, "total = loss + 1"),
        ("scaler.scale", 0, "total = loss + 1"),
    ],
)
def test_a_loss_is_made_where_it_is_assigned_or_returned(at, backward, nth, made):
    place, text = at
    assert text(loss_made_at(place(backward, nth))) == made


def test_a_loss_without_a_name_is_made_nowhere_else(at):
    place, _ = at
    assert loss_made_at(place("total.sum()")) is None


def test_an_input_is_made_where_what_it_is_a_part_of_is_assigned(at):
    place, text = at
    assert text(input_made_at(place("loss = likelihood"))) == "x = torch.randn(8, 4)"
    assert input_made_at(place("loss = criterion")) is None


def test_nothing_is_known_of_what_cannot_be_read(tmp_path):
    (tmp_path / "broken.py").write_text("loss = (\n")
    for line in ("", "no/such/file.py:3", f"{tmp_path}/broken.py:1", "x:y"):
        assert loss_made_at(line) is None
        assert input_made_at(line) is None


def test_a_function_returns_at_its_last_return():
    def nothing():
        pass

    def something(x):
        if x:
            return 1
        return 2

    assert returned_at(nothing) is None
    assert returned_at(len) is None
    line = int(returned_at(something).rpartition(":")[2])
    assert Path(__file__).read_text().splitlines()[line - 1].strip() == "return 2"


def test_a_target_is_made_where_it_was_last_put_in_order(tmp_path):
    file = tmp_path / "order.py"
    file.write_text(
        "y = load()\ny = y[order]\nx_train, y_train = x[:6], y[:6]\nloss = criterion(model(x_train), y_train[rows])\n"
    )
    assert target_made_at(f"{file}:4") == f"{file}:2"


def test_what_is_only_brought_elsewhere_is_made_before(tmp_path):
    file = tmp_path / "moved.py"
    file.write_text("x = load()\nx = x.to(device)\nmodel(x)\n\ndef fit(x):\n    x = x.float()\n    model(x)\n")
    assert input_made_at(f"{file}:3") == f"{file}:1"
    assert input_made_at(f"{file}:7") is None


def test_a_sample_is_made_where_its_first_part_is():
    def named(index):
        image = index / 2
        return image, 1

    def whole(index):
        return index / 3, 1

    text = Path(__file__).read_text().splitlines()
    lines = [int(sample_made_at(function).rpartition(":")[2]) for function in (named, whole)]
    assert [text[line - 1].strip() for line in lines] == ["image = index / 2", "return index / 3, 1"]
    assert sample_made_at(len) is None


def test_a_variable_is_made_in_its_function_or_else_in_the_module(tmp_path):
    file = tmp_path / "bare.py"
    file.write_text("w, b = rand(3), rand(1)\n\ndef fit(v):\n    u = rand(2)\n    step([w, u, v])\n")
    made = [variable_made_at(f"{file}:5", name) for name in ("w", "b", "u", "v")]
    assert made == [f"{file}:1", f"{file}:1", f"{file}:4", None]


def test_a_sample_that_only_gets_another_form_is_made_before():
    def converted(index):
        image = index // 255
        image = torch.as_tensor(image, dtype=torch.float32).unsqueeze(0)  # noqa: F821  # only its text is read
        return image.float()[None], 1

    text = Path(__file__).read_text().splitlines()
    assert text[int(sample_made_at(converted).rpartition(":")[2]) - 1].strip() == "image = index // 255"


@pytest.mark.parametrize(
    ("loss", "line"),
    [
        ("((net(x[i]) - y[i]) ** 2).mean()", 1),
        ("((y[i] - net(x[i])) ** 2).mean()", 1),
        ("((wanted - given) ** 2).mean()", 1),
        ("(given * given).mean()", None),
    ],
)
def test_the_target_of_a_loss_that_is_written_out(tmp_path, loss, line):
    file = tmp_path / "written.py"
    turns = f"for i in rows:\n    given = net(x[i])\n    wanted = y[i]\n    loss = {loss}\n    loss.backward()\n"
    file.write_text(f"y = tensor(prices)\n{turns}")
    assert target_subtracted_at(f"{file}:6") == (f"{file}:{line}" if line else None)
