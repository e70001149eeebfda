"""Translations by a dictionary in the text of a program."""

import pytest

from stetho.capture.text.mapped import mapped_at

SEX = 't["sex"] = t["sex"].map({"m": 0, "f": 1})\n'
KIND = 't["kind"] = t["kind"].map({"1": 0.0, "2": 1.0})\n'
FILL = "t = t.fillna(0)\n"


@pytest.fixture
def found(tmp_path):
    def read(program):
        file = tmp_path / f"{abs(hash(program))}.py"
        file.write_text(program)
        line = mapped_at(str(file))
        return int(line.rpartition(":")[2]) if line is not None else None

    return read


@pytest.mark.parametrize("fill", [FILL, "t = t.fillna(value=0.0)", "x = np.nan_to_num(t.values)"])
def test_finds_numbers_in_quotes_whose_misses_are_filled(found, fill):
    assert found(SEX + KIND + fill) == 2


def test_knows_a_dictionary_by_its_name(found):
    assert found('KINDS = {"1": 0, "2": 1}\nt["kind"] = t["kind"].map(KINDS).fillna(0)') == 2


@pytest.mark.parametrize(
    "program",
    [
        KIND,
        SEX + FILL,
        FILL + KIND,
        KIND + "t = t.fillna(t.mean())",
        KIND + KIND.replace("kind", "deck") + FILL,
        't["kind"] = t["kind"].map(code)\n' + FILL,
        't["kind"] = t["kind"].map({1: 0.0, 2: 1.0})\n' + FILL,
    ],
    ids=["not filled", "words", "filled before", "other values", "two of them", "a function", "numbers"],
)
def test_stays_quiet_on_what_may_well_be_found(found, program):
    assert found(program) is None


def test_stays_quiet_about_a_file_that_is_gone():
    assert mapped_at("gone.py") is None
