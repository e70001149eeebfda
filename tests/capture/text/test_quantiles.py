"""Losses of quantiles as programs write them."""

from pathlib import Path

import pytest

from stetho.capture.text.quantiles import quantile_at

FIRST = [
    "torch.maximum(q * e, (q - 1) * e)",
    "torch.max((tau - 1) * e, tau * e)",
    "torch.where(e > 0, q * e, (q - 1) * e)",
    "torch.max(LEVELS[i] * e, (LEVELS[i] - 1.0) * e)",
    "(q - (e < 0).float()) * e",
    "e * (q - (e <= 0).to(e.dtype))",
]
LAST = ["torch.maximum((1 - q) * e, -q * e)", "torch.max(-(q * e), (1 - q) * e)"]
NEITHER = [
    "torch.maximum(a * e, b * e)",
    "torch.max(q * e, (q - 1) * d)",
    "torch.max(e, dim=1)",
    "q * e",
    "q * (e < 0)",
]


def read(folder: Path, formula: str) -> dict[str, object] | None:
    file = folder / "program.py"
    file.write_text(f"e = y - f\nloss = ({formula}).mean()\nloss.backward()\n")
    return quantile_at(f"{file}:3")


@pytest.mark.parametrize(
    ("formula", "is_first"), [*((each, True) for each in FIRST), *((each, False) for each in LAST)]
)
def test_knows_which_side_a_formula_wants_first(tmp_path: Path, formula: str, is_first: bool) -> None:
    found = read(tmp_path, formula)
    assert found == {"line": f"{tmp_path}/program.py:1", "target_first": is_first}


@pytest.mark.parametrize("formula", [*NEITHER, f"{FIRST[0]} + {LAST[0]}"])
def test_other_formulas_tell_nothing(tmp_path: Path, formula: str) -> None:
    assert read(tmp_path, formula) is None
