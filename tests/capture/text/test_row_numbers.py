from pathlib import Path

import pytest

from stetho.capture.text.row_numbers import row_numbers_at


def written(tmp_path: Path, *terms: str) -> str:
    program = tmp_path / "train.py"
    body = "".join(f"        x = {term}\n" for term in terms)
    program.write_text(f"class Net(Module):\n    def forward(self, x):\n{body}        return x\n")
    return str(program)


@pytest.mark.parametrize(
    ("term", "is_found"),
    [
        ("x + self.pe[:x.size(0)]", True),
        ("x + self.pe[: x.shape[0], :]", True),
        ("x + self.where(torch.arange(len(x)))", True),
        ("x + self.pe[:, :x.size(1)]", False),
        ("x[:x.size(0) // 2]", False),
        ("x + self.pe[: x.size(1)]", False),
    ],
)
def test_a_table_that_is_cut_to_the_number_of_rows_is_found(tmp_path: Path, term: str, is_found: bool) -> None:
    file = written(tmp_path, term)
    assert row_numbers_at(file) == (f"{file}:3" if is_found else None)


def test_which_of_several_is_not_known(tmp_path: Path) -> None:
    assert row_numbers_at(written(tmp_path, "self.a[:len(x)]", "self.b[:len(x)]")) is None
    assert row_numbers_at("gone.py") is None
