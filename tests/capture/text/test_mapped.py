"""Translations by a dictionary in the text of a program."""

import pytest

from stetho.capture.text.mapped import mapped_at

SEX = 't["sex"] = t["sex"].map({"m": 0, "f": 1})\n'
KIND = 't["kind"] = t["kind"].map({"1": 0.0, "2": 1.0})\n'


@pytest.fixture
def found(tmp_path):
    def read(program):
        file = tmp_path / f"{abs(hash(program))}.py"
        file.write_text(program)
        line = mapped_at(str(file))
        return int(line.rpartition(":")[2]) if line is not None else None

    return read


@pytest.mark.parametrize("fill", ["t = t.fillna(0)", "t = t.fillna(value=0.0)", "x = np.nan_to_num(t.values)"])
def test_finds_a_translation_whose_misses_are_filled(found, fill):
    assert found(SEX + fill) == 1


def test_takes_numbers_written_as_text_for_what_misses(found):
    assert found(SEX + KIND + "t = t.fillna(0)") == 2


def test_names_the_filling_where_any_may_miss(found):
    assert found(SEX + SEX.replace("sex", "port") + "t = t.fillna(0)") == 3


def test_knows_a_dictionary_by_its_name(found):
    assert found('CODES = {"m": 0, "f": 1}\nt["sex"] = t["sex"].map(CODES).fillna(0)') == 2


@pytest.mark.parametrize(
    "program",
    [SEX, "t = t.fillna(0)", SEX + "t = t.fillna(t.mean())", 't["sex"] = t["sex"].map(code)\nt = t.fillna(0)'],
)
def test_stays_quiet_without_a_dictionary_or_without_zeros(found, program):
    assert found(program) is None


def test_stays_quiet_about_a_file_that_is_gone():
    assert mapped_at("gone.py") is None
