from pathlib import Path

import pytest

from stetho.capture.text.told import told_name


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("plateau.step(val_loss)", "val_loss"),
        ("plateau.step(metrics=self.best.accuracy)", "accuracy"),
        ("plateau.step(float(accuracy))", "accuracy"),
        ("plateau.step(accuracy.item())", "accuracy"),
        ("plateau.step(1 - accuracy)", None),
        ("plateau.step()", None),
        ("print(accuracy)", None),
    ],
)
def test_a_schedule_is_told_what_has_a_name(tmp_path: Path, call: str, name: str | None) -> None:
    program = tmp_path / "train.py"
    program.write_text(f"{call}\n")
    assert told_name(f"{program}:1") == name


def test_nothing_is_known_of_a_file_that_is_gone() -> None:
    assert told_name("gone.py:1") is None
