"""Attributes of the framework that we replace while we watch, and put back afterwards."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from stetho.capture.unnoticed import unnoticed, unnoticed_file

WRAPPERS = frozenset({__file__, unnoticed_file(__file__)})
"""Whose code stands on the stack around a call of what is replaced."""
_ABSENT = object()
Make = Callable[[Callable[..., Any]], Callable[..., Any]]


@dataclass(slots=True, eq=False)
class _Entry:
    """One replaced attribute: what its owner had itself, what it found there, and what stands there now."""

    owner: Any
    name: str
    original: object
    inherited: Callable[..., Any]
    make: Make
    ours: Callable[..., Any]

    @property
    def is_on_top(self) -> bool:
        return vars(self.owner).get(self.name) is self.ours


_in_place: list[_Entry] = []
"""All that is replaced, of every `Patches`: one may be put around another one, and go after it or before it."""


class Patches:
    """Replaced attributes and what they were.

    >>> class Dog:
    ...     def speak(self): return "woof"
    >>> patches = Patches()
    >>> patches.replace(Dog, "speak", lambda original: lambda self: original(self) + "!")
    >>> Dog().speak()
    'woof!'
    >>> patches.undo()
    >>> Dog().speak()
    'woof'
    """

    def __init__(self) -> None:
        self._replaced: list[_Entry] = []

    def replace(self, owner: Any, name: str, make: Make) -> None:
        """Put `make(original)` in the place of `owner.name`. An owner without that attribute is left alone."""
        inherited = getattr(owner, name, None)
        if inherited is None:
            return
        ours = unnoticed(make(inherited))
        entry = _Entry(owner, name, vars(owner).get(name, _ABSENT), inherited, make, ours)
        self._replaced.append(entry)
        _in_place.append(entry)
        setattr(owner, name, entry.ours)

    def around(
        self,
        owner: Any,
        name: str,
        *,
        before: Callable[..., object] | None = None,
        after: Callable[..., object] | None = None,
    ) -> None:
        """Call `before(*args, **kwargs)` and `after(result, *args, **kwargs)` around every call of `owner.name`."""

        def make(original: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(original)
            def wrapper(*args: Any, **kwargs: Any) -> Any:
                if before is not None:
                    before(*args, **kwargs)
                result = original(*args, **kwargs)
                if after is not None:
                    after(result, *args, **kwargs)
                return result

            return wrapper

        self.replace(owner, name, make)

    def undo(self) -> None:
        """Put everything back. Where somebody has replaced ours since, theirs stays; ours does nothing by then."""
        for entry in reversed(self._replaced):
            _in_place.remove(entry)
            if not entry.is_on_top:
                _let_go(entry)
            elif entry.original is _ABSENT:
                delattr(entry.owner, entry.name)
            else:
                setattr(entry.owner, entry.name, entry.original)
        self._replaced.clear()

    def take_back(self, owner: Any, name: str) -> None:
        """Put one attribute back, now."""
        taken = Patches()
        taken._replaced = [entry for entry in self._replaced if (entry.owner, entry.name) == (owner, name)]
        self._replaced = [entry for entry in self._replaced if entry not in taken._replaced]
        taken.undo()

    @contextmanager
    def suspended(self) -> Iterator[None]:
        """Show the framework as it is without us, for code that reads its source (TorchScript)."""
        in_place = [entry for entry in self._replaced if entry.is_on_top]
        for entry in reversed(in_place):
            if entry.original is not _ABSENT:
                setattr(entry.owner, entry.name, entry.original)
        try:
            yield
        finally:
            for entry in in_place:
                setattr(entry.owner, entry.name, entry.ours)


def _let_go(gone: _Entry) -> None:
    """What was put around a replacement that goes is put around what that had replaced, and so on upwards."""
    below, old = gone, gone.ours
    while (above := next((entry for entry in _in_place if entry.inherited is old), None)) is not None:
        was_on_top, old = above.is_on_top, above.ours
        above.inherited = gone.inherited if below is gone else below.ours
        above.original = gone.original if below is gone else below.ours
        above.ours = unnoticed(above.make(above.inherited))
        if was_on_top:
            setattr(above.owner, above.name, above.ours)
        below = above
