"""The groups of symptoms name checks that exist, each once."""

import pytest

from stetho.checks import CATALOG
from stetho.checks.evidence import symptoms

NAMES = {check.name for check in CATALOG}
GROUPS = {name: group for name, group in vars(symptoms).items() if name.isupper()}


@pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS)
def test_a_group_names_checks_that_exist(group):
    assert set(group) <= NAMES
    assert len(set(group)) == len(group)


def test_what_stands_still_does_not_run_away():
    assert not set(symptoms.NOT_LEARNING) & set(symptoms.RUNNING_AWAY)
