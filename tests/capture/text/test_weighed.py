"""The line that computes the weights of classes is found in the text of the program."""

from pathlib import Path

import pytest

from stetho.capture.text.weighed import weighed_at

PROGRAM = """\
def balanced(labels):
    share = torch.bincount(labels) / len(labels)
    weight = (share.max() - share) / (share.max() - share.min())
    return weight / weight.sum() * len(weight)

one = CrossEntropyLoss(weight=balanced(y))
counts = torch.bincount(y)
w = 1 - counts / counts.max()
w = w / w.mean()
two = CrossEntropyLoss(w)
v = torch.ones(3)
v[0] = 0.0
three = CrossEntropyLoss(weight=v.to(device), reduction="none")
four = CrossEntropyLoss(weight=v)
five = CrossEntropyLoss()
"""


@pytest.mark.parametrize(("line", "made"), [(6, 3), (10, 8), (14, 12), (15, None)])
def test_weights_are_followed_to_where_they_are_computed(tmp_path: Path, line: int, made: int | None) -> None:
    file = tmp_path / "train.py"
    file.write_text(PROGRAM)
    assert weighed_at(f"{file}:{line}", "weight", "CrossEntropyLoss", 0) == (f"{file}:{made}" if made else None)


def test_a_helper_with_two_ends_keeps_the_line_of_its_call(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("def f(n):\n    if n:\n        return n\n    return 1 - n\nloss = CrossEntropyLoss(weight=f(n))\n")
    assert weighed_at(f"{file}:5", "weight", "CrossEntropyLoss", 0) == f"{file}:5"
