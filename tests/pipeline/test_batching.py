"""Tests of batches: put together by the program's own function."""

import torch

from stetho.pipeline.batching import Batching
from stetho.pipeline.drawing import Draw, Source
from stetho.pipeline.settings import Settings


def batching(collate, samples, size=2, **settings):
    source = Source("test", lambda: iter(()), collate=collate)
    made = Batching(source, Settings(**settings))
    for place, sample in enumerate(samples):
        made.add(Draw(place, lambda: None, (place + 1) % size == 0), sample)
    made.finish()
    return made


def padded(samples):
    return {
        "ids": torch.nn.utils.rnn.pad_sequence(samples, batch_first=True, padding_value=9),
        "name": ["a"] * len(samples),
    }


def test_padding_is_known_from_the_samples():
    samples = [{"ids": torch.ones(4)}, {"ids": torch.ones(2)}]
    made = batching(lambda batch: padded([each["ids"] for each in batch]), samples)
    ids = made.result().fields[0]
    assert (ids.shape, ids.padding, ids.filler) == ("[2, 4]", 0.25, 9.0)


def test_rows_of_the_first_batch_are_kept_to_be_looked_at():
    first = batching(padded, [torch.ones(3), torch.ones(3), torch.ones(3)]).result().first
    assert [row.key for row in first] == [0, 1]
    assert [picture.text for picture in first[0].pictures] == ["a"]


def test_the_sizes_that_occur_are_told():
    result = batching(torch.stack, [torch.ones(1)] * 5).result()
    assert (result.count, result.sizes) == (3, (2, 1))


def test_without_a_function_there_are_no_batches():
    assert batching(None, [1, 2, 3]).result() is None


def test_a_missing_sample_leaves_its_batch_out():
    made = batching(torch.stack, [])
    made.add(Draw(0, lambda: None), torch.ones(1))
    made.skip(Draw(1, lambda: None, True))
    made.finish()
    assert made.result() is None
