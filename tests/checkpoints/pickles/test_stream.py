"""Lengths that a pickle claims are checked before memory is taken."""

import pytest

from stetho.checkpoints.pickles.stream import LONGEST_TEXT, PickleStream
from stetho.checkpoints.stored import HeldBytes
from stetho.errors import CheckpointDamaged, CheckpointRefused


def test_bytes_lines_and_places_follow_each_other() -> None:
    stream = PickleStream(HeldBytes(b"ab" + b"line\n" + b"stored" + b"z"))
    assert (stream.read(2), stream.readline(), stream.place(6).head(6), stream.read(1)) == (
        b"ab",
        b"line\n",
        b"stored",
        b"z",
    )
    assert (stream.tell(), stream.read(5)) == (14, b"")


def test_reads_further_than_it_looked_ahead() -> None:
    content = bytes(range(256)) * 1000
    stream = PickleStream(HeldBytes(content))
    assert stream.read(7) + stream.read(200_000) + stream.read(100) == content[:200_107]


def test_texts_that_are_too_long_are_refused() -> None:
    with pytest.raises(CheckpointRefused, match="none is so long"):
        PickleStream(HeldBytes(b"")).read(LONGEST_TEXT + 1)


def test_a_line_without_end_is_damage() -> None:
    with pytest.raises(CheckpointDamaged, match="no end"):
        PickleStream(HeldBytes(b"x" * 100)).readline()


def test_a_place_outside_is_damage() -> None:
    with pytest.raises(CheckpointDamaged):
        PickleStream(HeldBytes(b"abc")).place(4)
