from pathlib import Path

import pytest

from stetho.capture.text.wanted import wanted_at


@pytest.mark.parametrize(
    ("made", "is_found"),
    [
        ("gold = tokens[:, :-1]", True),
        ("gold = tokens[:, :-1].contiguous()", True),
        ("gold = draw(tokens)", False),
        ("gold = tokens", False),
    ],
)
def test_the_line_that_cuts_the_targets_out_is_found(tmp_path: Path, made: str, is_found: bool) -> None:
    program = tmp_path / "train.py"
    program.write_text(f"{made}\nloss = cross_entropy(net(x).flatten(0, 1), gold.flatten())\n")
    assert wanted_at(f"{program}:2") == (f"{program}:1" if is_found else None)


def test_a_name_may_be_handed_on(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text("cut = ids[:, 1:]\ngold = cut.long()\nloss = nll(net(x), gold)\n")
    assert wanted_at(f"{program}:3") == f"{program}:1"


def test_what_another_function_cuts_is_not_followed(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text("gold = ids[:, 1:]\ndef loss_of(net, x):\n    return nll(net(x), gold)\n")
    assert wanted_at(f"{program}:3") is None
    assert wanted_at("gone.py:1") is None
