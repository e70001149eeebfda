"""Lines that write to gradients."""

import pytest

from stetho.capture.text.gradients import changed_at


@pytest.mark.parametrize(
    ("between", "line"),
    [
        ("for p in ps:\n    p.grad /= norm", 3),
        ("for p in ps:\n    p.grad = p.grad / norm", 3),
        ("torch._foreach_div_([p.grad for p in ps], norm)", 2),
        ("print(p.grad)", None),
        ("p.grad.zero_()", None),
    ],
)
def test_what_is_between_the_backward_pass_and_the_update_is_found(tmp_path, between, line):
    program = tmp_path / "train.py"
    program.write_text(f"loss.backward()\n{between}\noptimizer.step()\nfor p in ps:\n    p.grad = None\n")
    last = 3 + between.count("\n")
    expected = f"{program}:{line}" if line else None
    assert changed_at(f"{program}:1", f"{program}:{last}") == expected


def test_a_function_elsewhere_in_the_file_is_found_where_it_is_the_only_one(tmp_path):
    program = tmp_path / "train.py"
    program.write_text("def scale(p):\n    p.grad.mul_(2)\ndef train():\n    loss.backward()\n    scale(p)\n")
    assert changed_at(f"{program}:4", None) == f"{program}:2"
