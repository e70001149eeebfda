"""What a batch costs on its way from a worker."""

import torch
from torch.utils.data import DataLoader

from stetho.profiling.torch.transport import loader_cost

LOADER = DataLoader(range(4), batch_size=2)


def test_sizes_and_fields_of_a_batch() -> None:
    batch = {"x": torch.randn(2, 3), "names": ["one", "three"], "y": torch.tensor([1, 300])}
    cost = loader_cost(LOADER, "train.py:3", batch)
    assert (cost.name, cost.workers, cost.batch_size) == ("DataLoader", 0, 2)
    assert (cost.batch_bytes, cost.sample_bytes) == (24 + 8 + 16, 24)
    assert cost.fields == ("['x']: float32[2, 3]", "['names']: list of 2", "['y']: int64[2]")
    assert cost.pickled_bytes > 0
    assert cost.pickle_seconds > 0
    assert not batch["x"].is_shared()


def test_types_that_are_larger_than_their_values_need_are_told() -> None:
    images = torch.randint(256, (4, 4)).float() / 255
    cost = loader_cost(LOADER, "", [images, torch.tensor([1, 2]), torch.randn(2).double()])
    assert [field.partition(", ")[2].rpartition("]")[2] or field for field in cost.fields]
    assert cost.fields[0].endswith("uint8 would hold it (steps of 1/255)")
    assert cost.fields[1].endswith("uint8 would hold it")
    assert cost.fields[2].endswith("float32 would do")


def test_what_cannot_be_pickled_has_no_cost() -> None:
    assert loader_cost(LOADER, "", [lambda: 1]).pickled_bytes == 0
    assert loader_cost(LOADER, "", [None]).batch_bytes == 8


def test_a_batch_that_was_not_seen_has_no_size() -> None:
    cost = loader_cost(DataLoader([1]), "train.py:1", None)
    assert (cost.batch_bytes, cost.fields, cost.line) == (0, (), "train.py:1")
