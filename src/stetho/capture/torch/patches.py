"""Attributes of the framework that we replace while we watch, and put back afterwards."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_ABSENT = object()


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
        self._replaced: list[tuple[Any, str, object, object]] = []

    def replace(self, owner: Any, name: str, make: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
        """Put `make(original)` in the place of `owner.name`. An owner without that attribute is left alone."""
        inherited = getattr(owner, name, None)
        if inherited is None:
            return
        ours = make(inherited)
        self._replaced.append((owner, name, vars(owner).get(name, _ABSENT), ours))
        setattr(owner, name, ours)

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
        for owner, name, original, ours in reversed(self._replaced):
            if vars(owner).get(name) is not ours:
                continue
            if original is _ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, original)
        self._replaced.clear()

    def take_back(self, owner: Any, name: str) -> None:
        """Put one attribute back, now."""
        taken = Patches()
        taken._replaced = [entry for entry in self._replaced if entry[:2] == (owner, name)]
        self._replaced = [entry for entry in self._replaced if entry[:2] != (owner, name)]
        taken.undo()

    def hidden_from(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """TorchScript reads the source of what it finds, and must not find ours."""

        def script(*args: object, **kwargs: object) -> Any:
            with self.suspended():
                return original(*args, **kwargs)

        return script

    @contextmanager
    def suspended(self) -> Iterator[None]:
        """Show the framework as it is without us, for code that reads its source (TorchScript)."""
        in_place = [entry for entry in self._replaced if vars(entry[0]).get(entry[1]) is entry[3]]
        for owner, name, original, _ in reversed(in_place):
            if original is not _ABSENT:
                setattr(owner, name, original)
        try:
            yield
        finally:
            for owner, name, _, ours in in_place:
                setattr(owner, name, ours)
