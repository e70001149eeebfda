"""Where values may become no number."""

from pathlib import Path

import pytest

from stetho.capture.text.undefined import operation_at, undefined_at, undefined_before

STANDARD = "def standard(w):\n    mean = w.mean(1)\n    return (w - mean) / w.std(1)\n"


@pytest.mark.parametrize(
    ("program", "at", "wanted"),
    [
        ("t = t * 2\nt = hstack([t, np.log(t)])\nx = tensor(t)\n", 3, 2),
        (STANDARD + "loader = DataLoader(TensorDataset(standard(w), y))\n", 4, 3),
        ("x = x / x.std(0)\n", 1, 1),
        ("x = x / 255\n", 1, None),
        ("x = x / (x.std(0) + 1e-8)\n", 1, None),
        ("x = x / x.std(0).clamp(min=1e-6)\n", 1, None),
        ("x = load()\ny = x\n", 2, None),
    ],
)
def test_finds_the_line_that_may_give_no_number(tmp_path: Path, program: str, at: int, wanted: int | None) -> None:
    file = tmp_path / "program.py"
    file.write_text(program)
    assert undefined_at(f"{file}:{at}") == (f"{file}:{wanted}" if wanted is not None else None)


@pytest.mark.parametrize(
    ("program", "at", "wanted"),
    [
        (STANDARD + "x = load()\nloss = (model(standard(x)) - y).pow(2).mean()\n", 5, 3),
        (STANDARD + "x = load()\nx = standard(x)\nloss = model(x).mean()\n", 6, 3),
        ("x = load()\nout = self.model(x / x.norm())\n", 2, 2),
        ("x = load()\nloss = F.nll_loss(torch.log(model(x)), y)\n", 2, None),
        ("x = load()\nloss = model(x).log().mean() / n\n", 2, None),
    ],
)
def test_what_a_call_is_given_is_looked_at_and_not_what_comes_of_it(
    tmp_path: Path, program: str, at: int, wanted: int | None
) -> None:
    file = tmp_path / "program.py"
    file.write_text(program)
    assert undefined_before(f"{file}:{at}") == (f"{file}:{wanted}" if wanted is not None else None)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("x = (x - m) / s", "div: (x - m) / s"),
        ("x = np.divide(x, s)", "div: np.divide(x, s)"),
        ("x = (x - x.mean()) / x.std()", "div by a figure of all: (x - x.mean()) / x.std()"),
        ("x = x / x.sum(axis=0)", "div by a figure of all: x / x.sum(axis=0)"),
        ("x = x / x.sum(axis=1)", "div: x / x.sum(axis=1)"),
        ("x = x / x.std(dim)", "div: x / x.std(dim)"),
        ("x = x / std(x)", "div: x / std(x)"),
        ("x = [each / each.std() for each in x]", "div: each / each.std()"),
        ("def standard(x): return x / x.std()", "div: x / x.std()"),
        ("x = torch.log(x)", "log: torch.log(x)"),
        ("x = torch.log(x / y)", None),
        ("x = x / 255", None),
    ],
)
def test_names_the_operation_where_it_is_the_only_one(tmp_path: Path, line: str, wanted: str | None) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"{line}\n")
    assert operation_at(f"{file}:1") == wanted
