"""Tests of the whole examination: a pipeline in, a report out, and the caller's random state as before."""

import random

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

from stetho.errors import UsageError
from stetho.pipeline.examining import examine
from stetho.pipeline.settings import Settings
from stetho.pipeline.sources import sources_of
from stetho.postmortem import report_of


def examined(given, against=None, **settings):
    sources = sources_of(given, "train")
    if against is not None:
        sources |= sources_of(against, "val")
    return examine(sources, Settings(**settings), report_of)


def table(rows=40, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return TensorDataset(torch.randn(rows, 3, generator=generator), torch.arange(rows) % 4)


def test_a_loader_is_told_in_samples_batches_and_stages():
    report = examined(DataLoader(table(), batch_size=8, shuffle=True))
    assert (report.samples, report.length, report.batches.count) == (40, 40, 5)
    assert [field.name for field in report.fields] == [field.name for field in report.batches.fields] == ["0", "1"]
    assert report.stages[0].name == "torch.TensorDataset.__getitem__"
    assert report.notes == ()


def test_two_splits_are_compared():
    train, val = table(), table()
    val.tensors[0][:30] += 1
    report = examined(train, val)
    assert report.splits[0].shared == 10
    assert any("10 samples of val (25%) are in train too" in line for line in report.remarks)


def test_random_state_and_generators_are_put_back():
    generator = torch.Generator().manual_seed(1)
    loader = DataLoader(table(), shuffle=True, generator=generator)
    states = random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state(), generator.get_state()
    examined(loader)
    assert random.getstate() == states[0]
    assert np.random.get_state()[1].tolist() == states[1]
    assert torch.equal(torch.get_rng_state(), states[2])
    assert torch.equal(generator.get_state(), states[3])


def test_duplicates_are_found_though_chance_changes_each_sample():
    class Noisy:
        def __init__(self, rows):
            self.rows, self.transform = rows, lambda row: row + np.random.rand(*row.shape)

        def __len__(self):
            return len(self.rows)

        def __getitem__(self, index):
            return self.transform(self.rows[index])

    rows = [np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([1.0, 2.0])]
    report = examined(Noisy(rows), rows[1:])
    assert report.duplicates.pairs == ((0, 2),)
    assert report.splits[0].shared == 2


@pytest.mark.parametrize("empty", [[], iter(()), DataLoader([], batch_size=2), list])
def test_an_empty_loader_is_one_clear_error(empty):
    with pytest.raises(UsageError, match="gives no sample"):
        examined(empty)


def test_draws_of_the_same_sample_are_told_and_are_no_duplicates():
    sampler = WeightedRandomSampler([1.0] + [0.0] * 39, 10)
    report = examined(DataLoader(table(), sampler=sampler))
    assert report.duplicates.extra == 0
    assert "drew 1 different samples, 9 draws" in report.notes[0]


def test_other_splits_are_left_when_the_first_fails():
    def failing():
        yield torch.ones(2)
        raise ValueError("no more")

    report = examined(failing, table())
    assert (len(report.failures), report.splits) == (1, ())


def test_a_bound_is_told():
    assert "stopped after 7 samples of 40" in examined(table(), samples=7).notes[0]
