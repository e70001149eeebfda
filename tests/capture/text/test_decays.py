"""The decay of an average of weights."""

from pathlib import Path

import pytest

from stetho.capture.text.decays import decay_at

FOUND = {
    "an argument": ("opt = Adam(weight_decay=0.95)\nema = EMA(model, decay=0.9999)", 2),
    "a second argument": ("shadow = EMA(model, 0.999)", 1),
    "a setting": ("class Config:\n    lr_decay: float = 0.95\n    ema_decay: float = 0.9999", 3),
    "a constant": ("EMA_DECAY = 0.9995\nbetas = (0.9, 0.999)", 1),
    "a default": ("class EMA:\n    def __init__(self, model, decay=0.999):\n        self.decay = decay", 2),
    "a default that is not taken": ("def average(model, decay=0.999): ...\naverage(model, decay=0.9999)", 2),
}


@pytest.mark.parametrize(("text", "line"), FOUND.values(), ids=FOUND)
def test_the_decay_is_found(text: str, line: int, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(text)
    assert decay_at(str(file)) == f"{file}:{line}"


@pytest.mark.parametrize("text", ["weight_decay = 0.95", "decay = 1e-4", "decay = 0.99\nema_decay = 0.999", "x ="])
def test_other_numbers_and_several_are_not(text: str, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(text)
    assert decay_at(str(file)) is None
