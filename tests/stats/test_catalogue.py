"""The catalogue names exactly what is recorded."""

import pytest

from stetho.stats.catalogue import MEASURES, ROLES, is_stat
from stetho.stats.summary import EMPTY
from stetho.store.format import MEASURES as STORED


def test_the_measures_are_those_of_the_stored_table_in_its_order():
    assert tuple(measure.name for measure in MEASURES) == STORED
    assert len(EMPTY.row(1)) == len(STORED)


def test_every_entry_says_what_it_means():
    assert all(entry.meaning.endswith(".") for entry in (*ROLES, *MEASURES))


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.name)
@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_every_role_goes_with_every_measure(role, measure):
    assert is_stat(f"{role.name}.{measure.name}")


@pytest.mark.parametrize("name", ["", "act", "rms", ".rms", "act.", "act.mood", "mood.rms", "act/rms", "ACT.rms"])
def test_other_names_are_no_stats(name):
    assert not is_stat(name)


def test_the_state_of_an_optimizer_goes_by_its_key():
    assert is_stat("state.exp_avg.rms")
    assert is_stat("state.momentum_buffer.absmax")
