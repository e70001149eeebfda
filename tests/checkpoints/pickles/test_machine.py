"""Plain containers come back as Python's own unpickler gives them; bombs do not go off."""

import pickle
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stetho.checkpoints.pickles.known import find
from stetho.checkpoints.pickles.machine import Machine
from stetho.checkpoints.pickles.stream import PickleStream
from stetho.checkpoints.refusing import damage_named
from stetho.checkpoints.stored import HeldBytes
from stetho.errors import CheckpointDamaged, CheckpointError, CheckpointRefused


def loaded(content: bytes) -> Any:
    with damage_named("pickle"):
        return Machine(PickleStream(HeldBytes(content)), find, lambda reference: ("fetched", reference)).run()


LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
TREES = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner), max_leaves=8
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(TREES, st.integers(0, 5))
def test_plain_trees_come_back(tree: Any, protocol: int) -> None:
    assert loaded(pickle.dumps(tree, protocol)) == tree


def test_sets_come_back() -> None:
    assert loaded(pickle.dumps({1, 2}, 4)) == {1, 2}
    assert loaded(pickle.dumps(frozenset("a"), 4)) == {"a"}


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.binary(max_size=60))
def test_any_bytes_give_an_object_or_an_error_of_ours(content: bytes) -> None:
    try:
        loaded(content + b".")
    except CheckpointError as error:
        assert "\n" not in str(error)  # noqa: PT017 - no error is fine too


@pytest.mark.parametrize(
    "content",
    [
        b"\x80\x02]r\xff\xff\xff\x7f.",  # a memo of two thousand million places
        b"\x80\x02X\xff\xff\xff\x7f.",  # a text of 2 GB that is not there
        b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\x7f.",  # so many bytes that no machine has them
        b"\x80\x02\x8b\xff\xff\xff\x7f.",  # an integer of 2 GB
        b"I" + b"9" * 60_000 + b"\n.",  # an integer that takes long to read
    ],
)
def test_pickles_that_claim_memory_get_none(content: bytes) -> None:
    tracemalloc.start()
    try:
        result = loaded(content)
    except CheckpointError:
        result = []
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result == []
    assert peak < 10_000_000


def test_keys_whose_hash_takes_for_ever_are_refused() -> None:
    bomb = b"\x80\x02}()" + b"2\x86" * 60 + b"K\x01s."
    with pytest.raises(CheckpointRefused, match="neither texts nor numbers"):
        loaded(bomb)


@pytest.mark.parametrize("content", [b"", b"\x80\x02", b"t.", b"\x80\x02K\x01R.", b"\x80\x02K\x01K\x02s.", b"\xff."])
def test_what_is_no_pickle_is_damage(content: bytes) -> None:
    with pytest.raises(CheckpointDamaged):
        loaded(content)


def test_extension_codes_and_buffers_are_refused() -> None:
    with pytest.raises(CheckpointRefused, match="EXT1"):
        loaded(b"\x80\x02\x82\x01.")


def test_references_are_fetched() -> None:
    assert loaded(b"\x80\x02K\x07Q.") == ("fetched", 7)
    assert loaded(b"Pkey\n.") == ("fetched", "key")
