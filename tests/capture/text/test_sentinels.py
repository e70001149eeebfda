"""Numbers for "missing" in the text of a program."""

import pytest

from stetho.capture.text.sentinels import sentinel_at


@pytest.fixture
def found(tmp_path):
    def read(program):
        file = tmp_path / f"{abs(hash(program))}.py"
        file.write_text(program)
        line = sentinel_at(str(file))
        return int(line.rpartition(":")[2]) if line is not None else None

    return read


@pytest.mark.parametrize(
    "statement",
    [
        "table[np.isnan(table)] = -9999.0",
        "table = table.fillna(-999)",
        "table = np.nan_to_num(table, nan=-9999)",
        "table = np.where(np.isnan(table), 1e9, table)",
        "x = x.masked_fill(gaps, MISSING)",
        "imputer = SimpleImputer(strategy='constant', fill_value=-99)",
    ],
)
def test_finds_the_line_that_writes_it(found, statement):
    assert found(f"MISSING = -9999.0\n{statement}\n") == 2


def test_takes_the_first_of_several_lines_with_one_number(found):
    assert found("train = train.fillna(-999)\ntest = test.fillna(-999)\n") == 1


@pytest.mark.parametrize(
    "program",
    [
        "table[gaps] = 0.0\n",
        "table = table.fillna(-1)\n",
        "table[gaps] = mean\n",
        "def forward(self, x):\n    return x.masked_fill(mask, -1e9)\n",
        "a = a.fillna(-999)\nb = b.fillna(1e6)\n",
        "size = 9999\n",
    ],
)
def test_says_nothing_of_small_numbers_masks_in_models_or_several(found, program):
    assert found(program) is None


def test_says_nothing_of_files_that_are_not_there():
    assert sentinel_at("gone.py") is None
