"""Samples in the order in which a training would see them, one draw after the other."""

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

from stetho.pipeline.facts import Key


@dataclass(frozen=True, slots=True)
class Draw:
    """One sample to be made; a stream ends with StopIteration."""

    key: Key
    make: Callable[[], Any]
    ends_batch: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """Samples, in the order in which a training would see them, and how batches are made of them."""

    title: str
    draws: Callable[[], Iterator[Draw]]
    length: int | None = None
    facts: tuple[tuple[str, str], ...] = ()
    collate: Callable[[list[Any]], Any] | None = None
    drops_last: bool = False
    fetch: Callable[[Key], Any] | None = None
    """How a key is asked for again, where that is possible."""
    around: Callable[[], AbstractContextManager[Any]] = contextlib.nullcontext
    holders: tuple[Any, ...] = ()
    """Objects that may keep random generators of their own."""
    notes: tuple[str, ...] = field(default=())


def indexed(samples: Any, collate: Callable[[list[Any]], Any] | None, batch_size: int | None) -> Source:
    """Something that is asked for its samples by index."""
    length = len(samples)

    def draws() -> Iterator[Draw]:
        for index in range(length):
            is_last = batch_size is not None and (index + 1) % batch_size == 0
            yield Draw(index, partial(samples.__getitem__, index), is_last)

    return Source(type(samples).__name__, draws, length, collate=collate, fetch=samples.__getitem__, holders=(samples,))


def stream(samples: Any, collate: Callable[[list[Any]], Any] | None, batch_size: int | None) -> Source:
    """Something that gives one sample after the other."""

    def draws() -> Iterator[Draw]:
        iterator = iter(samples)
        for position in count():
            is_last = batch_size is not None and (position + 1) % batch_size == 0
            yield Draw(position, partial(next, iterator), is_last)

    return Source(type(samples).__name__, draws, length_of(samples), collate=collate, holders=(samples,))


def length_of(value: Any) -> int | None:
    """The length of something that may have none.

    >>> length_of([1, 2]), length_of(iter([]))
    (2, None)
    """
    try:
        return len(value)
    except Exception:  # the user's own method, which may do anything
        return None
