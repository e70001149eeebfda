"""What stands between and around `backward` and `step`."""

from pathlib import Path

import pytest

from stetho.capture.text.stepping import emptied_at, step_guarded_at, zeroed_outside_at


def _line(tmp_path: Path, program: str, reader, at: int) -> int | None:
    file = tmp_path / "program.py"
    file.write_text(program)
    found = reader(f"{file}:{at}")
    return int(found.rpartition(":")[2]) if found is not None else None


LOOP = "for i, x in enumerate(data):\n    loss(x).backward()\n"


@pytest.mark.parametrize(
    ("program", "wanted"),
    [
        (LOOP + "    if (i + 1) % 64 == 0:\n        optimizer.step()\n", 3),
        (LOOP + "    optimizer.step()\n    if i % 9 == 0:\n        scheduler.step()\n", None),
        (LOOP + "    optimizer.step()\n    if i % 9 == 0:\n        other_opt.step()\n", None),
        (LOOP + "    if i % 9 == 0:\n        self.lr_scheduler.step()\n", None),
        (LOOP + "    if a:\n        one.step()\n    if b:\n        two.step()\n", None),
        (LOOP, None),
    ],
)
def test_the_condition_of_a_step(tmp_path: Path, program: str, wanted: int | None) -> None:
    assert _line(tmp_path, program, step_guarded_at, 2) == wanted


@pytest.mark.parametrize(
    ("program", "at", "wanted"),
    [
        ("optimizer.zero_grad()\nfor x in data:\n    loss(x).backward()\n", 3, 1),
        ("for e in epochs:\n    optimizer.zero_grad()\n    for x in data:\n        loss(x).backward()\n", 4, 2),
        ("optimizer.zero_grad()\nfor x in data:\n    loss(x).backward()\n    optimizer.zero_grad()\n", 3, None),
        ("for x in data:\n    loss(x).backward()\n", 2, None),
        ("def f():\n    optimizer.zero_grad()\nfor x in data:\n    loss(x).backward()\n", 4, None),
    ],
)
def test_zeroing_before_the_loop(tmp_path: Path, program: str, at: int, wanted: int | None) -> None:
    assert _line(tmp_path, program, zeroed_outside_at, at) == wanted


LOGGING = "def norm(model):\n    for p in model.parameters():\n        p.grad.zero_()\n"


@pytest.mark.parametrize(
    ("program", "at", "wanted"),
    [
        ("o.zero_grad()\nloss.backward()\nif ready:\n    o.zero_grad()\n    o.step()\n", 2, 4),
        (LOGGING + "loss.backward()\nn = norm(model)\no.step()\n", 4, 3),
        ("loss.backward()\nfor p in weights:\n    p.grad = None\no.step()\n", 1, 3),
        ("loss.backward()\no.step()\no.zero_grad()\n", 1, None),
        ("loss.backward()\no.zero_grad()\n", 1, None),
    ],
)
def test_zeroing_between_backward_and_step(tmp_path: Path, program: str, at: int, wanted: int | None) -> None:
    assert _line(tmp_path, program, emptied_at, at) == wanted
