"""Whole tensors of a step."""

from dataclasses import replace

from stetho.comparing.runs.closely import look_closely, with_tensors
from stetho.comparing.runs.compare import compare_runs
from tests.comparing.trainings import Net, Record


def test_places_get_the_errors_of_their_tensors(record: Record) -> None:
    one, other = record(dump="*@1"), record(dump="*@1", model=lambda: Net(scale=0.5))
    found = with_tensors(compare_runs(one, other), one, other)
    assert found.first_difference is not None
    assert found.first_difference.name == "block"
    assert found.first_difference.tensors is not None
    assert found.first_difference.tensors.count == 16 * 8


def test_without_dumps_nothing_is_added(record: Record) -> None:
    one, other = record(), record(seed=1)
    found = with_tensors(compare_runs(one, other), one, other)
    assert found.first_difference is not None
    assert found.first_difference.tensors is None


def test_equal_runs_are_not_run_again(record: Record) -> None:
    one, other = record(), record()
    found = compare_runs(one, other)
    assert look_closely(replace(found, notes=["kept"]), one, other).notes == ["kept"]
