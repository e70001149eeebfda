"""What changes a batch on its way to the model is found in the function that does so."""

from pathlib import Path

import pytest

from stetho.capture.text.changed import changed_at

NOISY = "def noisy(x):\n    x = x * 2\n    return x + randn_like(x)\n"
CASES = {
    "in the call": (NOISY + "loss = mse(model(noisy(x)), y)", 4, 3),
    "before the call": (NOISY + "x = noisy(x)\nloss = mse(model(x), y)", 5, 3),
    "what makes a batch of nothing": ("def batch(n):\n    return randn(n)\nx = batch(8)\nloss = model(x)", 4, None),
    "a function of a library": ("loss = mse(model(torch.flip(x)), y)", 1, None),
    "the model alone": (NOISY + "loss = mse(model(x), y)", 4, None),
    "a model that is a function": ("def model(x):\n    return x\nloss = mse(model(x), y)", 3, 2),
}


@pytest.mark.parametrize(("text", "called", "changed"), CASES.values(), ids=CASES)
def test_it_is_followed_into_the_function(text: str, called: int, changed: int | None, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(text)
    assert changed_at(f"{file}:{called}") == (f"{file}:{changed}" if changed else None)
