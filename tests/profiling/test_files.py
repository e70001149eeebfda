"""Files of a profile, by how their names end."""

from pathlib import Path

import pytest

from stetho.errors import UsageError
from stetho.profiling.files import ENDINGS, check_file, write_profile
from tests.profiling.sample import PROFILE


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_ending_writes_something_of_its_own(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"step{ending}"
    write_profile(PROFILE, file)
    text = file.read_text()
    assert {
        ".trace.json": "traceEvents",
        ".speedscope.json": "$schema",
        ".json": "stetho-profile/1",
        ".csv": "kind,name",
        ".html": "<!doctype html>",
        ".folded": "other 500",
    }[ending] in text


def test_an_ending_that_tells_nothing_is_refused_with_those_that_do(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"how the name ends .*\.csv.*step\.xyz"):
        check_file(tmp_path / "step.xyz")


def test_a_folder_that_is_not_there_is_told_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        check_file(tmp_path / "away" / "step.csv")
    (tmp_path / "step.csv").mkdir()
    with pytest.raises(UsageError, match="a folder stands where"):
        check_file(tmp_path / "step.csv")
