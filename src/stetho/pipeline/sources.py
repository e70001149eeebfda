"""What can be stepped through: anything that has samples, brought into one form."""

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import Any

from stetho.errors import UsageError
from stetho.pipeline.facts import Key

MOST_OF_A_STREAM = 10_000
"""Samples that are taken from something without a length when nobody says how many."""
RULE = "give a DataLoader, a data set, an iterable, or a function that makes one"


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


def sources_of(given: Any, name: str, *, batch_size: int | None = None) -> dict[str, Source]:
    """The data sets in what was given: one, or several when it is a tuple or a dict of loaders.

    >>> list(sources_of(lambda: [1, 2, 3], "numbers"))
    ['numbers']
    """
    made = _made(given, name)
    parts: list[tuple[Any, Any]] = []
    if isinstance(made, Mapping):
        parts = list(made.items())
    elif isinstance(made, tuple | list):
        parts = list(enumerate(made))
    # Some functions give the loaders together with other things, such as the number of classes.
    several = [(key, part) for key, part in parts if has_samples(part)]
    if several and not (isinstance(made, list) and len(several) < len(parts)):
        return {f"{name}[{key!r}]": _source_of(part, name, batch_size) for key, part in several}
    source = _source_of(made, name, batch_size)
    if made is given and hasattr(made, "__next__"):
        spent = f"the {source.title} that was given is used up now; give a function that makes it"
        source = replace(source, notes=(*source.notes, spent))
    return {name: source}


def _made(given: Any, name: str) -> Any:
    is_factory = isinstance(given, type) or not (_is_iterable(given) or has_samples(given))
    if not (is_factory and callable(given)):
        return given
    try:
        return given()
    except TypeError as error:
        raise UsageError(f"`{name}` cannot be called without arguments: {error}; {RULE}") from error


def has_samples(value: Any) -> bool:
    """Whether a value is a loader or a data set by itself, and not just a list or an array that could hold samples.

    >>> has_samples([1, 2]), has_samples("text")
    (False, False)
    """
    if "torch" in sys.modules:
        from stetho.pipeline.torch.loader import is_loader_or_set

        if is_loader_or_set(value):
            return True
    kind = type(value)
    is_plain = isinstance(value, type | str | bytes | Mapping | tuple | list) or hasattr(value, "__array__")
    is_map = hasattr(kind, "__getitem__") and hasattr(kind, "__len__")
    return not is_plain and is_map and kind.__module__.partition(".")[0] not in ("builtins", "torch", "numpy")


def _source_of(given: Any, name: str, batch_size: int | None) -> Source:
    if "torch" in sys.modules:
        from stetho.pipeline.torch.loader import is_loader_or_set, torch_source

        if is_loader_or_set(given):
            return torch_source(given, batch_size)
    if isinstance(given, str | bytes | Mapping) or not _is_iterable(given):
        raise UsageError(f"`{name}` is a {type(given).__name__}, which has no samples to step through; {RULE}")
    if hasattr(given, "__getitem__") and hasattr(given, "__len__"):
        return indexed(given, _default_collate() if batch_size else None, batch_size)
    return stream(given, _default_collate() if batch_size else None, batch_size)


def _is_iterable(value: Any) -> bool:
    return hasattr(value, "__iter__") or hasattr(value, "__next__") or hasattr(value, "__getitem__")


def indexed(samples: Any, collate: Callable[[list[Any]], Any] | None, batch_size: int | None) -> Source:
    """Something that is asked for its samples by index."""
    length = len(samples)

    def draws() -> Iterator[Draw]:
        for index in range(length):
            is_last = batch_size is not None and (index + 1) % batch_size == 0
            yield Draw(index, partial(samples.__getitem__, index), is_last)

    return Source(_title(samples), draws, length, collate=collate, fetch=samples.__getitem__, holders=(samples,))


def stream(samples: Any, collate: Callable[[list[Any]], Any] | None, batch_size: int | None) -> Source:
    """Something that gives one sample after the other."""

    def draws() -> Iterator[Draw]:
        iterator = iter(samples)
        for position in count():
            is_last = batch_size is not None and (position + 1) % batch_size == 0
            yield Draw(position, partial(next, iterator), is_last)

    return Source(_title(samples), draws, length_of(samples), collate=collate, holders=(samples,))


def length_of(value: Any) -> int | None:
    """The length of something that may have none.

    >>> length_of([1, 2]), length_of(iter([]))
    (2, None)
    """
    try:
        return len(value)
    except Exception:  # the user's own method, which may do anything
        return None


def _title(samples: Any) -> str:
    return type(samples).__name__


def _default_collate() -> Callable[[list[Any]], Any]:
    if "torch" in sys.modules:
        from stetho.pipeline.torch.loader import default_collate

        return default_collate
    return as_lists


def as_lists(samples: Sequence[Any]) -> Any:
    """A batch without a framework: what each field holds, in lists.

    >>> as_lists([(1, "a"), (2, "b")])
    [[1, 2], ['a', 'b']]
    """
    first = samples[0]
    if isinstance(first, Mapping):
        return {key: [sample[key] for sample in samples] for key in first}
    if isinstance(first, tuple):
        return [list(values) for values in zip(*samples, strict=True)]
    return list(samples)
