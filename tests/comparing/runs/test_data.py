"""Whether two runs were fed the same."""

from collections.abc import Iterator

import torch
from torch import Tensor

from stetho.comparing.runs.data import compare_data
from stetho.comparing.runs.recorded import Recorded
from tests.comparing.trainings import Record, batches


def test_the_same_batches_are_counted(record: Record) -> None:
    found = compare_data(Recorded(record()), Recorded(record(seed=1)))
    assert (found.kind, found.batches, found.is_same) == ("same", 3, True)


def test_runs_without_a_common_step_have_no_data_to_compare(record: Record) -> None:
    found = compare_data(Recorded(record()), Recorded(record(), offset=9))
    assert (found.kind, found.is_same) == ("unknown", True)


def test_another_type_is_told(record: Record) -> None:
    doubled = record(before=lambda m: m.double(), data=lambda n: ((x.double(), y) for x, y in batches(n)))
    assert compare_data(Recorded(record()), Recorded(doubled)).sentence == "the inputs are float32 and float64"


def test_unrelated_inputs_are_shown_by_their_moments(record: Record) -> None:
    def other(steps: int) -> Iterator[tuple[Tensor, Tensor]]:
        return ((torch.rand(16, 6), y) for _, y in batches(steps))

    found = compare_data(Recorded(record()), Recorded(record(data=other)))
    assert found.kind == "other"
    assert "mean 0.5" in found.sentence or "mean 0.4" in found.sentence


def test_features_in_another_order_have_the_same_moments(record: Record) -> None:
    found = compare_data(Recorded(record()), Recorded(record(data=lambda n: ((x.flip(1), y) for x, y in batches(n)))))
    assert "another order inside" in found.sentence


def test_a_small_shift_is_told_with_its_size(record: Record) -> None:
    found = compare_data(Recorded(record()), Recorded(record(data=lambda n: ((x + 1e-3, y) for x, y in batches(n)))))
    assert found.sentence == "the inputs of the second run are those of the first, shifted by 0.001"
