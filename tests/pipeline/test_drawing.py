"""Tests of draws: samples by index, and samples of a stream."""

from itertools import count

import pytest

from stetho.pipeline.drawing import indexed, length_of, stream


def test_samples_are_asked_for_by_index_and_can_be_asked_for_again():
    source = indexed("abc", None, 2)
    assert [(draw.key, draw.make(), draw.ends_batch) for draw in source.draws()] == [
        (0, "a", False),
        (1, "b", True),
        (2, "c", False),
    ]
    assert source.fetch(1) == "b"


def test_a_stream_is_read_as_far_as_it_is_wanted_and_ends_with_its_own_end():
    draws = stream(count(), None, None).draws()
    assert [next(draws).make() for _ in range(3)] == [0, 1, 2]
    short = stream([7], None, None).draws()
    assert next(short).make() == 7
    with pytest.raises(StopIteration):
        next(short).make()


def test_a_length_that_cannot_be_told_is_none():
    class Broken:
        def __len__(self):
            raise NotImplementedError

    assert length_of(Broken()) is None
