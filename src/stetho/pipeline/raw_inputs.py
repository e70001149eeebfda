"""What goes into the transforms of a data set: samples are known again by it, whatever chance makes of them later."""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any

DEPTH = 3
MOST_PARTS = 64
NAMES = ("transform", "tfm", "augment", "preproc")
NOT_OF_INPUTS = ("target", "label")


class RawInputs:
    """Keeps what the outermost transform was given first since `begin`.

    >>> class Rows:
    ...     def __init__(self): self.transform = lambda row: row + 1
    ...     def __getitem__(self, index): return self.transform(index * 10)
    >>> rows, raw = Rows(), RawInputs()
    >>> with raw.followed([rows]):
    ...     raw.begin()
    ...     rows[2], raw.taken
    (21, (20,))
    """

    def __init__(self) -> None:
        self.taken: tuple[Any, ...] | None = None
        self.seconds = 0.0
        """Our own time within that of the sample."""

    def begin(self) -> None:
        """A new sample is made."""
        self.taken, self.seconds = None, 0.0

    def take(self, values: tuple[Any, ...]) -> None:
        """Keep copies now, since a transform may work in place; whoever follows the calls of the sample sees none."""
        started, profiler = perf_counter(), sys.getprofile()
        if callable(profiler):
            sys.setprofile(None)
        try:
            self.taken = tuple(map(_copied, values))
        finally:
            if callable(profiler):
                sys.setprofile(profiler)
            self.seconds += perf_counter() - started

    @contextlib.contextmanager
    def followed(self, holders: Sequence[Any]) -> Iterator[None]:
        """Stand in for the transforms that these objects hold, until the end of a block."""
        replaced: list[tuple[dict[str, Any], str, Any]] = []
        seen: set[int] = set()
        try:
            for holder in holders:
                self._stand_in(holder, replaced, seen, DEPTH)
            yield
        finally:
            for held, name, transform in replaced:
                held[name] = transform

    def _stand_in(self, holder: Any, replaced: list[Any], seen: set[int], depth: int) -> None:
        if id(holder) in seen or depth == 0:
            return
        seen.add(id(holder))
        held = getattr(holder, "__dict__", None)
        if isinstance(holder, type) or not isinstance(held, dict):
            return
        for name, value in list(held.items())[:MOST_PARTS]:
            if _is_transform(name, value):
                replaced.append((held, name, value))
                # Named as what it stands for, which is what a person sees in the values of a frame.
                held[name] = type(type(value).__name__, (StandIn,), {})(value, self)
            elif "dataset" in name:
                for each in value if isinstance(value, list | tuple) else [value]:
                    self._stand_in(each, replaced, seen, depth - 1)


class StandIn:
    """In the place of a transform: does the same, has the same attributes, and notes what it is given first."""

    def __init__(self, transform: Any, raw: RawInputs) -> None:
        self.__dict__["_stetho"] = transform, raw

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        transform, raw = self.__dict__["_stetho"]
        if raw.taken is None:
            raw.take((*args, *kwargs.values()))
        return transform(*args, **kwargs)

    @property  # type: ignore[misc]  # python reads it, and never writes it
    def __class__(self) -> Any:
        """What `isinstance` believes."""
        return type(self.__dict__["_stetho"][0])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_stetho"][0], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.__dict__["_stetho"][0], name, value)


def _is_transform(name: str, value: Any) -> bool:
    is_named = any(part in name.lower() for part in NAMES) and not any(part in name.lower() for part in NOT_OF_INPUTS)
    return is_named and callable(value) and not isinstance(value, type)


def _copied(value: Any) -> Any:
    """A copy of an array or an image; anything else is hardly changed in place."""
    kind = type(value)
    way = "clone" if hasattr(kind, "clone") else "copy"
    if way == "copy" and kind.__module__.partition(".")[0] not in ("numpy", "PIL"):
        return value
    return getattr(value, way)()
