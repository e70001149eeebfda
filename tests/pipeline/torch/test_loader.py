"""Tests of loaders as sources: the order and the batches of training, in this process."""

import pytest
import torch
from torch.utils.data import (
    BatchSampler,
    DataLoader,
    Dataset,
    IterableDataset,
    SequentialSampler,
    Subset,
    get_worker_info,
)

from stetho.pipeline.torch.loader import torch_source

pytestmark = pytest.mark.filterwarnings("ignore:This DataLoader will create")


class Numbers(Dataset):
    def __init__(self, length=7):
        self.length = length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        return torch.tensor([index, index])


class Stream(IterableDataset):
    start = 0

    def __iter__(self):
        info = get_worker_info()
        yield from range(self.start, 5, info.num_workers if info is not None else 1)


class OnlySeveral(Dataset):
    def __getitems__(self, keys):
        return [key * 10 for key in keys]

    def __len__(self):
        return 3


def batches(source):
    made, waiting = [], []
    with source.around():
        for draw in source.draws():
            try:
                waiting.append(draw.make())
            except StopIteration:
                break
            if draw.ends_batch:
                made.append(source.collate(waiting))
                waiting = []
    return made + ([source.collate(waiting)] if waiting and not source.drops_last else [])


@pytest.mark.parametrize(
    "options",
    [
        {"batch_size": 3},
        {"batch_size": 3, "drop_last": True},
        {"batch_size": 3, "shuffle": True},
        {"batch_size": None},
        {"batch_sampler": [[0, 5], [3]]},
        {"sampler": [4, 2, 0], "batch_size": 2},
        {"batch_size": 2, "collate_fn": lambda samples: torch.stack(samples).sum()},
        {"batch_size": None, "sampler": BatchSampler(SequentialSampler(range(4)), 2, False)},
    ],
)
def test_batches_are_those_of_the_loader(options):
    check_batches(Numbers(), options)


@pytest.mark.parametrize(
    "options",
    [
        {"batch_size": 3},
        {"batch_size": 3, "drop_last": True},
        {"batch_size": None},
        {"batch_size": 2, "collate_fn": sum},
    ],
)
def test_batches_of_a_stream_are_those_of_the_loader(options):
    check_batches(Stream(), options)


def check_batches(data, options):
    def loader():
        return DataLoader(data, generator=torch.Generator().manual_seed(1), **options)

    wanted, found = list(loader()), batches(torch_source(loader()))
    assert len(found) == len(wanted)
    # The iterator of a loader draws a seed for its workers first, so that a shuffled order differs.
    if "shuffle" not in options:
        assert all(torch.equal(torch.as_tensor(a), torch.as_tensor(b)) for a, b in zip(found, wanted, strict=True))


def test_data_sets_that_know_their_worker_see_the_only_one():
    assert torch.cat(batches(torch_source(DataLoader(Stream(), batch_size=2, num_workers=3)))).tolist() == [
        0,
        1,
        2,
        3,
        4,
    ]
    assert get_worker_info() is None


def test_the_function_that_begins_a_worker_is_called_and_changes_a_copy():
    data = Stream()

    def begin(worker):
        get_worker_info().dataset.start = 3 + worker

    source = torch_source(DataLoader(data, batch_size=2, num_workers=2, worker_init_fn=begin))
    assert torch.cat(batches(source)).tolist() == [3, 4]
    assert data.start == 0


def test_data_sets_that_only_give_several_at_once_are_asked_for_one():
    source = torch_source(DataLoader(OnlySeveral(), batch_size=2))
    assert [draw.make() for draw in source.draws()] == [0, 10, 20]


def test_tells_the_length_and_what_was_switched_off():
    source = torch_source(DataLoader(Subset(Numbers(), [1, 2]), batch_size=2, num_workers=2))
    assert source.length == 2
    assert "none here" in dict(source.facts)["workers"]
    assert torch_source(DataLoader(Stream())).length is None


def test_an_iteration_of_its_own_is_told():
    class Moving(DataLoader):
        def __iter__(self):
            return super().__iter__()

    assert "`__iter__` of its own" in torch_source(Moving(Numbers())).notes[0]


def test_a_data_set_alone_is_stepped_through_in_its_order():
    assert [draw.key for draw in torch_source(Numbers(3)).draws()] == [0, 1, 2]
