"""Numbers that make signals large, or warm-ups long, are followed to where they are written."""

from pathlib import Path

import pytest

from stetho.capture.text.factors import divisor_at, factor_at

FACTORS = {
    "a constant": ("GAIN = 4.5\nx = relu(GAIN * layer(x))", 2, 1),
    "an attribute": (
        "class Net:\n    def __init__(self):\n        self.gain = 3.0\n    def forward(self, x):\n"
        "        return self.fc(x) * self.gain",
        5,
        3,
    ),
    "a number in the line": ("x = 4.5 * layer(x)", 1, None),
    "two constants": ("A = 1.5\nB = 2.5\nx = A * layer(x) + B * x", 3, None),
    "a tensor": ("mask = make()\nx = mask * layer(x)", 2, None),
}
DIVISORS = {
    "a lambda": ("WARM = 20000\ns = LambdaLR(opt, lambda n: min(1, n / WARM))", 2, 1),
    "a setting": ("class C:\n    warm: int = 900\ns = LambdaLR(opt, lr_lambda=lambda n: n / max(1, c.warm))", 3, 2),
    "a function": ("WARM = 9\ndef rise(n):\n    return n / WARM\ns = LambdaLR(opt, rise)", 4, 1),
    "a number in the line": ("s = LambdaLR(opt, lambda n: n / 500)", 1, None),
    "no function": ("GAMMA = 2\ns = StepLR(opt, GAMMA)", 2, None),
}


@pytest.mark.parametrize(("text", "used", "written"), FACTORS.values(), ids=FACTORS)
def test_a_factor_is_found(text: str, used: int, written: int | None, tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text(text)
    assert factor_at(f"{file}:{used}") == (f"{file}:{written}" if written else None)


@pytest.mark.parametrize(("text", "made", "written"), DIVISORS.values(), ids=DIVISORS)
def test_the_length_of_a_warm_up_is_found(text: str, made: int, written: int | None, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(text)
    assert divisor_at(f"{file}:{made}") == (f"{file}:{written}" if written else None)
