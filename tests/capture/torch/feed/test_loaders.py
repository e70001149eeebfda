"""Data loaders: facts, epochs, and the time that the program waits."""

from pathlib import Path

import pytest
import torch
from torch.nn import functional
from torch.utils.data import (
    BatchSampler,
    DataLoader,
    Dataset,
    IterableDataset,
    RandomSampler,
    SequentialSampler,
    Subset,
    TensorDataset,
    WeightedRandomSampler,
)

from stetho.capture.torch.feed.loaders import loader_facts

from ..conftest import batch, column, mlp, sgd


class Stream(IterableDataset):
    def __iter__(self):
        return iter(torch.ones(6, 4))


class WithoutLength(Dataset):
    def __getitem__(self, index):
        return index

    def __len__(self):
        raise OSError("the index is on another machine")


@pytest.fixture
def data():
    return TensorDataset(*batch(12))


@pytest.fixture
def model():
    return mlp()


@pytest.fixture
def optimizer(model):
    return sgd(model)


def epoch(model, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        functional.cross_entropy(model(x), y).backward()
        optimizer.step()


@pytest.mark.parametrize(
    ("settings", "sampler", "shuffled"),
    [
        ({}, "SequentialSampler", False),
        ({"shuffle": True}, "RandomSampler", True),
        ({"sampler": SequentialSampler(range(12))}, "SequentialSampler", False),
        ({"sampler": WeightedRandomSampler([1.0] * 12, 12)}, "WeightedRandomSampler", None),
    ],
)
def test_the_sampler_tells_whether_data_are_shuffled(data, settings, sampler, shuffled):
    facts = loader_facts(DataLoader(data, batch_size=4, **settings))
    assert (facts["sampler"], facts["shuffled"]) == (sampler, shuffled)


def test_everything_that_can_be_read_off_a_loader_is_there(data):
    facts = loader_facts(DataLoader(data, batch_size=4, drop_last=True, num_workers=0, worker_init_fn=print))
    assert (facts["dataset"], facts["length"], facts["iterable"]) == ("TensorDataset", 12, False)
    assert (facts["batch_size"], facts["drop_last"], facts["workers"]) == (4, True, 0)
    assert (facts["worker_init"], facts["pin_memory"], facts["batch_sampler"]) == (True, False, None)


def test_a_sampler_of_batches_is_named(data):
    facts = loader_facts(DataLoader(data, batch_sampler=BatchSampler(RandomSampler(data), 3, False)))
    assert (facts["batch_size"], facts["batch_sampler"]) == (None, "BatchSampler")


def test_a_stream_has_no_length():
    facts = loader_facts(DataLoader(Stream(), batch_size=2))
    assert (facts["length"], facts["iterable"]) == (None, True)


def test_a_data_set_that_does_not_know_its_length_does_no_harm():
    facts = loader_facts(DataLoader(WithoutLength(), sampler=[1, 2]))
    assert facts["length"] is None


def test_loaders_are_described_with_their_line_and_how_often_they_were_used(record, model, optimizer, data):
    def program():
        loader = DataLoader(data, batch_size=4, shuffle=True)
        for _ in range(3):
            epoch(model, optimizer, loader)

    (loader,) = record(program, model, optimizer).model["loaders"]
    assert (loader["id"], loader["passes"], loader["shuffled"]) == (0, 3, True)
    assert loader["line"].startswith(__file__)


def test_epochs_are_counted_by_the_loader_that_is_trained_on(record, model, optimizer, data):
    def program():
        training, validation = DataLoader(data, batch_size=6), DataLoader(data, batch_size=12)
        for _ in range(2):
            epoch(model, optimizer, training)
            model.eval()
            with torch.no_grad():
                for _ in range(3):
                    for x, _y in validation:
                        model(x)
            model.train()

    run = record(program, model, optimizer)
    assert column(run, "epoch") == [1, 1, 2, 2]
    assert column(run, "loader", "batches") == [0, 0, 1, 1, 1, 0, 0, 1, 1, 1]
    assert [one["passes"] for one in run.model["loaders"]] == [2, 6]


def test_epochs_are_counted_where_each_makes_its_own_loader(record, model, optimizer, data):
    def program():
        for _ in range(3):
            epoch(model, optimizer, DataLoader(data, batch_size=6))

    run = record(program, model, optimizer)
    assert column(run, "epoch") == [1, 1, 2, 2, 3, 3]
    assert [(loader["id"], loader["passes"]) for loader in run.model["loaders"]] == [(0, 3)]


def test_a_new_training_with_its_own_loader_begins_at_the_first_epoch(record, model, optimizer, data):
    def program():
        for _ in range(2):
            loader = DataLoader(data, batch_size=6)
            for _ in range(2):
                epoch(model, optimizer, loader)
            del loader

    assert column(record(program, model, optimizer), "epoch") == [1, 1, 2, 2, 1, 1, 2, 2]


def test_a_training_in_eval_mode_has_epochs_too(record, model, optimizer, data):
    def program():
        model.eval()
        loader = DataLoader(data, batch_size=6)
        for _ in range(2):
            epoch(model, optimizer, loader)

    assert column(record(program, model, optimizer), "epoch") == [1, 1, 2, 2]


def test_without_a_loader_there_are_no_epochs(record, model, optimizer, data):
    run = record(lambda: epoch(model, optimizer, [data[:4], data[4:8]]), model, optimizer)
    assert column(run, "epoch") == [None, None]
    assert run.model["loaders"] == []


def test_time_spent_waiting_for_data_is_counted(record, model, optimizer, data):
    class Slow(TensorDataset):
        def __getitem__(self, index):
            item = super().__getitem__(index)
            for _ in range(200):
                torch.ones(2000).sum()
            return item

    run = record(lambda: epoch(model, optimizer, DataLoader(Slow(*data.tensors), batch_size=6)), model, optimizer)
    assert all(
        0 < waited < whole for waited, whole in zip(column(run, "data_seconds"), column(run, "seconds"), strict=True)
    )


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_workers_do_their_work_unwatched(record, model, optimizer, data):
    def program():
        loader = DataLoader(data, batch_size=4, num_workers=1, persistent_workers=True)
        for _ in range(2):
            epoch(model, optimizer, loader)

    run = record(program, model, optimizer)
    assert column(run, "epoch") == [1, 1, 1, 2, 2, 2]
    assert run.model["loaders"][0]["workers"] == 1


def test_random_numbers_are_drawn_as_without_us(record, model, optimizer, data):
    def order():
        torch.manual_seed(3)
        return [y.tolist() for _, y in DataLoader(data, batch_size=4, shuffle=True)]

    kept = []

    def program():
        kept.append(order())
        epoch(model, optimizer, DataLoader(data, batch_size=12))

    record(program, model, optimizer)
    assert kept == [order()]


def test_a_loader_says_where_it_is_made_where_it_is_gone_through_and_where_samples_come_from(record):
    class Pairs(Dataset):
        def __len__(self):
            return 8

        def __getitem__(self, index):
            return torch.full((4,), float(index)), index % 2

    model = mlp()
    optimizer = sgd(model)

    def program():
        loader = DataLoader(Pairs(), batch_size=4)
        for x, y in loader:
            functional.cross_entropy(model(x), y).backward()
            optimizer.step()

    (loader,) = record(program, model, optimizer).model["loaders"]
    lines = Path(__file__).read_text().splitlines()
    found = [lines[int(loader[name].rpartition(":")[2]) - 1].strip() for name in ("line", "begun", "given_at")]
    assert found == [
        "loader = DataLoader(Pairs(), batch_size=4)",
        "for x, y in loader:",
        "return torch.full((4,), float(index)), index % 2",
    ]


def test_the_samples_of_a_part_come_from_the_data_set_that_it_was_split_off_from():
    class Halves(Dataset):
        def __len__(self):
            return 8

        def __getitem__(self, index):
            return torch.full((4,), index / 2), index % 2

    part = Subset(Subset(Halves(), range(6)), range(3))
    lines = Path(__file__).read_text().splitlines()
    made = loader_facts(DataLoader(part))["given_at"]
    assert lines[int(made.rpartition(":")[2]) - 1].strip() == "return torch.full((4,), index / 2), index % 2"
    assert loader_facts(DataLoader(Subset([1, 2, 3], [0])))["given_at"] is None
