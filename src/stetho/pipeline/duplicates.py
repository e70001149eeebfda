"""Samples that occur twice, in one data set or in two: known by a hash of their inputs."""

from collections.abc import Hashable, Sequence
from hashlib import blake2b
from itertools import count
from typing import Any

import numpy as np

from stetho.pipeline.arrays import as_array
from stetho.pipeline.facts import Duplicates, Key

MOST_PAIRS = 20
Leaves = Sequence[tuple[str, Any]]
_NUMBERS = count()


def fingerprints(leaves: Leaves, raw: Leaves = ()) -> tuple[int, int]:
    """A hash of the inputs of a sample, or of what went `raw` into its transforms, and one of the rest, as its label.

    Inputs are its arrays; without any, its texts; without those, all of it. A path or a number beside a picture is
    no input: it differs even where the picture is the same.

    >>> one, two = fingerprints([("x", [1, 2]), ("id", 1)]), fingerprints([("x", [1, 2]), ("id", 2)])
    >>> one[0] == two[0], one[1] == two[1]
    (True, False)
    """
    read = [(name, value, as_array(value)) for name, value in leaves]
    inputs = [each for each in read if each[2] is not None and each[2].size > 1]
    inputs = inputs or [each for each in read if isinstance(each[1], str | bytes)] or read
    taken = {id(each) for each in inputs}
    rest = _hash([each for each in read if id(each) not in taken])
    return (fingerprints(raw)[0] if raw else _hash(inputs)), rest


def _hash(read: Sequence[tuple[str, Any, Any]]) -> int:
    digest = blake2b(digest_size=8)
    # Without names: a raw input has none, and must be known again in a split without transforms.
    for _, value, array in read:
        if array is not None:
            digest.update(f"{array.dtype} {array.shape}".encode())
            digest.update(np.ascontiguousarray(array).data)
        else:
            digest.update(f"{type(value).__name__} {_text(value)}".encode())
    return int.from_bytes(digest.digest(), "little")


def _text(value: Any) -> str:
    """A text that is equal for equal values, and for nothing else."""
    if isinstance(value, str):
        return value
    if type(value) is not object and type(value).__module__.partition(".")[0] in ("builtins", "datetime", "pathlib"):
        return repr(value)
    # Two objects that cannot be read are not the same for that.
    return str(next(_NUMBERS))


class Seen:
    """The samples of one data set, each with its key.

    >>> seen = Seen()
    >>> for key, inputs in enumerate([7, 8, 7]): seen.add(key, (inputs, 0))
    >>> seen.duplicates().extra, seen.duplicates().pairs
    (1, ((0, 2),))
    """

    def __init__(self) -> None:
        self.first: dict[int, tuple[Key, int]] = {}
        self._keys: set[Hashable] = set()
        self._looked_at = self._extra = self._conflicts = 0
        self._pairs: list[tuple[Key, Key]] = []
        self._conflicting: list[tuple[Key, Key]] = []

    def add(self, key: Key, prints: tuple[int, int]) -> None:
        """Take one sample in; what a sampler draws again is not a duplicate."""
        if isinstance(key, Hashable):
            if key in self._keys:
                return
            self._keys.add(key)
        self._looked_at += 1
        inputs, rest = prints
        earlier = self.first.setdefault(inputs, (key, rest))
        if earlier[0] is key:
            return
        self._extra += 1
        self._pairs += [(earlier[0], key)] if len(self._pairs) < MOST_PAIRS else []
        if earlier[1] != rest:
            self._conflicts += 1
            self._conflicting += [(earlier[0], key)] if len(self._conflicting) < MOST_PAIRS else []

    def duplicates(self) -> Duplicates:
        """What was found within this data set."""
        return Duplicates(self._looked_at, self._extra, tuple(self._pairs), self._conflicts, tuple(self._conflicting))

    def shared_with(self, other: "Seen") -> tuple[int, tuple[tuple[Key, Key], ...]]:
        """How many different samples of another data set are in this one, and some of them: our key, and theirs."""
        common = [inputs for inputs in other.first if inputs in self.first]
        return len(common), tuple((self.first[each][0], other.first[each][0]) for each in common[:MOST_PAIRS])
