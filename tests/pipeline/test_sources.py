"""Tests of sources: whatever has samples is brought into one form, and the rest is one clear error."""

import numpy as np
import pytest
from torch.nn import Linear, ReLU, Sequential
from torch.utils.data import DataLoader, Dataset

from stetho.errors import UsageError
from stetho.pipeline.sources import has_samples, sources_of


class Squares(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return index**2


class OldStyle:
    def __getitem__(self, index):
        if index >= 3:
            raise IndexError
        return index


def made(source, most=10):
    samples = []
    for draw, _ in zip(source.draws(), range(most), strict=False):
        try:
            samples.append(draw.make())
        except StopIteration:
            break
    return samples


def only(given, **options):
    (source,) = sources_of(given, "given", **options).values()
    return source


def count_to_three():
    yield from (1, 2, 3)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (Squares(), [0, 1, 4, 9]),
        (Squares, [0, 1, 4, 9]),
        (lambda: Squares(), [0, 1, 4, 9]),
        ([5, 6], [5, 6]),
        (np.array([5, 6]), [5, 6]),
        (count_to_three, [1, 2, 3]),
        ({1, 2}, [1, 2]),
        (OldStyle(), [0, 1, 2]),
        (DataLoader(Squares(), batch_size=2), [0, 1, 4, 9]),
    ],
)
def test_everything_that_has_samples_is_stepped_through(given, expected):
    assert made(only(given)) == expected


def test_a_tuple_or_a_dict_of_loaders_is_several_splits_and_other_things_in_it_are_left():
    pair = sources_of(lambda: (DataLoader(Squares()), Squares(), 10), "make")
    assert list(pair) == ["make[0]", "make[1]"]
    assert list(sources_of({"train": Squares(), "val": Squares()}, "make")) == ["make['train']", "make['val']"]


def test_a_list_of_samples_that_have_a_length_is_one_data_set():
    class Text:
        def __len__(self):
            return 1

        def __getitem__(self, index):
            return "a"

    assert has_samples(Text())
    assert len(sources_of([Text(), 3], "given")) == 1


@pytest.mark.parametrize("given", [3, "text", None, {"a": 1}, object(), Linear(1, 1), lambda: Sequential(ReLU())])
def test_what_has_no_samples_is_one_clear_error(given):
    with pytest.raises(UsageError, match="no samples to step through; give a DataLoader"):
        sources_of(given, "given")


def test_a_function_that_needs_arguments_is_one_clear_error():
    with pytest.raises(UsageError, match=r"cannot be called without arguments: .*'size'"):
        sources_of(lambda size: [size], "make")


def test_a_generator_is_used_up_and_says_so():
    assert "used up" in only(count_to_three()).notes[0]
    assert only(count_to_three).notes == ()
    assert only([1]).notes == ()


def test_a_batch_size_makes_batches_where_there_is_no_loader():
    source = only(Squares(), batch_size=3)
    assert [draw.ends_batch for draw in source.draws()] == [False, False, True, False]
    assert source.collate([1, 2]).tolist() == [1, 2]
    assert only(Squares()).collate is None
