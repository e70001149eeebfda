from pathlib import Path

import pytest

from stetho.capture.text.margins import margin_at


@pytest.mark.parametrize(
    ("term", "is_found"),
    [
        ("torch.clamp(margin - d, min=0.0)", True),
        ("F.relu(margin - d) ** 2", True),
        ("(1.0 - d).clamp_min(0)", True),
        ("F.relu(layer(d))", False),
        ("d - margin", False),
    ],
)
def test_a_difference_that_is_cut_off_is_found(tmp_path: Path, term: str, is_found: bool) -> None:
    program = tmp_path / "train.py"
    program.write_text(f"pull = d ** 2\npush = {term}\nloss = (pull + push).mean()\nloss.backward()\n")
    assert margin_at(f"{program}:4") == (f"{program}:2" if is_found else None)


def test_which_of_several_is_not_known(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text("a = relu(1 - d)\nb = relu(2 - d)\n")
    assert margin_at(f"{program}:2") is None


def test_nothing_is_known_of_a_file_that_is_gone() -> None:
    assert margin_at("gone.py:1") is None
