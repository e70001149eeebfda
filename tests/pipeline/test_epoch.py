"""Tests of an epoch: every sample once, in this process, up to the first that fails."""

from itertools import count

import pytest
import torch
from torch.utils.data import DataLoader, Dataset, Sampler

from stetho.pipeline import epoch as module
from stetho.pipeline.epoch import Epoch
from stetho.pipeline.settings import Settings
from stetho.pipeline.sources import sources_of
from stetho.postmortem import report_of


class Faulty(Dataset):
    def __init__(self, bad=(), length=20):
        self.bad, self.length, self.asked = bad, length, []

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        self.asked.append(index)
        if index in self.bad:
            raise ValueError(f"no picture in file {index}")
        return torch.full((2,), float(index)), index % 2


class Forgetful(Sampler):
    def __iter__(self):
        yield 3
        raise KeyError("no more weights")

    def __len__(self):
        return 20


def stepped(given, progress=lambda _done, _of: None, **settings):
    (source,) = sources_of(given, "given").values()
    epoch = Epoch(source, Settings(**settings), report_of, progress)
    epoch.run()
    return epoch


def test_every_sample_is_made_once():
    data = Faulty()
    epoch = stepped(DataLoader(data, batch_size=4, shuffle=True))
    assert sorted(data.asked) == list(range(20))
    assert (epoch.columns.samples, epoch.batching.result().count, epoch.failures) == (20, 5, [])


def test_stops_at_the_first_bad_sample_with_its_index_and_the_line_of_the_program():
    epoch = stepped(DataLoader(Faulty({7, 9}), batch_size=4))
    (failure,) = epoch.failures
    assert (failure.step, failure.key, failure.position, epoch.tried) == ("sample", 7, 7, 8)
    assert failure.error.message == "no picture in file 7"
    assert [frame.function for frame in failure.error.frames if not frame.is_folded] == ["__getitem__"]
    assert dict(failure.error.frames[-1].values)["index"] == "7"


def test_collects_all_bad_samples_when_told_to_go_on():
    epoch = stepped(DataLoader(Faulty({7, 9, 11}), batch_size=4), keep_going=True)
    assert [failure.key for failure in epoch.failures] == [7, 9, 11]
    assert epoch.columns.samples == 17


def test_a_batch_that_cannot_be_put_together_names_its_samples():
    ragged = [torch.ones(2), torch.ones(2), torch.ones(3), torch.ones(2)]
    (failure,) = stepped(DataLoader(ragged, batch_size=2)).failures
    assert (failure.step, failure.key) == ("batch", (2, 3))
    assert "stack" in failure.error.message


def test_a_sampler_that_fails_is_told_apart():
    (failure,) = stepped(DataLoader(Faulty(), sampler=Forgetful())).failures
    assert (failure.step, failure.position) == ("order", 1)


def test_an_endless_stream_is_bounded(monkeypatch):
    assert stepped(lambda: count(), samples=30).tried == 30
    monkeypatch.setattr(module, "MOST_OF_A_STREAM", 50)
    endless = stepped(lambda: count())
    assert (endless.tried, endless.is_cut) == (50, True)


def test_a_bound_of_a_set_with_a_length_is_kept():
    epoch = stepped(Faulty(), samples=5)
    assert (epoch.columns.samples, epoch.bound) == (5, 5)


def test_interrupting_keeps_what_was_seen():
    def numbers():
        yield from range(5)
        raise KeyboardInterrupt

    epoch = stepped(numbers)
    assert (epoch.is_interrupted, epoch.columns.samples) == (True, 5)


def test_progress_is_told_with_the_total():
    told = []
    stepped(Faulty(length=3), progress=lambda done, of: told.append((done, of)))
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("pictures", [0, 4])
def test_some_samples_are_kept_to_be_looked_at(pictures):
    assert len(stepped(Faulty(), pictures=pictures).shown) == pictures


def test_the_dropped_rest_is_counted():
    epoch = stepped(DataLoader(Faulty(length=10), batch_size=4, drop_last=True))
    # The sampler of a map leaves the rest out by itself; a stream is cut here.
    assert epoch.columns.samples == 8

    def stream():
        return DataLoader(Numbers(), batch_size=4, drop_last=True)

    class Numbers(torch.utils.data.IterableDataset):
        def __iter__(self):
            return iter(range(10))

    assert stepped(stream).batching.dropped == 2
