"""The catalogue: every check of ours is listed, sorted, in the file of its name, and keeps the contract."""

from collections import Counter
from pathlib import Path

import pytest

import stetho.checks
from stetho.checks import CATALOG
from stetho.checks.declare import Check
from stetho.testing import CheckContract

FAMILIES = ("data", "loop", "loss", "model", "optimisation", "signal")
FOLDER = Path(stetho.checks.__file__).parent


class TestEveryCheck(CheckContract):
    @pytest.fixture(params=CATALOG, ids=lambda check: check.name)
    def check(self, request: pytest.FixtureRequest) -> Check:
        return request.param


@pytest.mark.parametrize("check", CATALOG, ids=lambda check: check.name)
def test_the_file_has_the_name_of_the_check(check: Check) -> None:
    assert check.function.__module__ == f"stetho.checks.{check.family}.{check.name.replace('-', '_')}"


def test_every_file_is_listed_once_and_in_order() -> None:
    on_disk = [
        file.stem.replace("_", "-")
        for family in FAMILIES
        for file in sorted((FOLDER / family).glob("*.py"))
        if file.stem != "__init__" and "@check(" in file.read_text(encoding="utf-8")
    ]
    assert [check.name for check in CATALOG] == on_disk


def test_no_name_is_doubled() -> None:
    assert [name for name, number in Counter(check.name for check in CATALOG).items() if number > 1] == []


@pytest.mark.parametrize("check", CATALOG, ids=lambda check: check.name)
def test_a_check_explains_checks_that_exist(check: Check) -> None:
    assert set(check.explains) <= {other.name for other in CATALOG}
