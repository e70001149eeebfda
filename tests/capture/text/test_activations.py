"""An activation at the end of a model is found where the program applies it."""

from pathlib import Path

import pytest

from stetho.capture.text.activations import activation_at

CASES = {
    "in the return": ("def f(x):\n    return torch.sigmoid(a(x))", 2, "sigmoid", 2),
    "before the return": ("def f(x):\n    x = F.relu(a(x))\n    return x[:, 0]", 3, "relu", 2),
    "as a method": ("def f(x):\n    x = a(x).tanh()\n    return x", 3, "tanh", 2),
    "in a loop": ("def f(x):\n    for a in layers:\n        x = relu(a(x))\n    return x", 4, "relu", 3),
    "in another function": ("def g(x):\n    return relu(x)\ndef f(x):\n    return g(x)", 4, "relu", None),
    "outside of any": ("x = relu(x)\nloss = mse(x, y)", 2, "relu", None),
}


@pytest.mark.parametrize(("text", "line", "name", "found"), CASES.values(), ids=CASES)
def test_the_last_one_is_told(text: str, line: int, name: str, found: int | None, tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text(text)
    assert activation_at(f"{file}:{line}", name) == (f"{file}:{found}" if found else None)
