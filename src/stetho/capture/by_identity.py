"""A weak mapping by identity.

The objects of a program may hash and compare as they like: metrics of torchmetrics hash by their state, which is not
there yet while they are made and changes with every update.
"""

import weakref
from typing import Generic, TypeVar

Value = TypeVar("Value")


class ByIdentity(Generic[Value]):
    """Values that belong to objects, kept as long as the objects live.

    >>> class Model:
    ...     __hash__ = None
    >>> model, lines = Model(), ByIdentity[int]()
    >>> lines[model] = 12
    >>> lines.get(model)
    12
    >>> del model
    >>> len(lines)
    0
    """

    def __init__(self) -> None:
        self._held: dict[int, tuple[weakref.ref[object], Value]] = {}

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, key: object) -> bool:
        return id(key) in self._held

    def __setitem__(self, key: object, value: Value) -> None:
        number, held = id(key), self._held
        # The identity is free for another object from here on, which cannot exist before this one is gone.
        self._held[number] = weakref.ref(key, lambda _: held.pop(number, None)), value

    def get(self, key: object) -> Value | None:
        """The value of an object, if it has one."""
        found = self._held.get(id(key))
        return found[1] if found is not None else None

    def pop(self, key: object) -> None:
        """Forget an object."""
        self._held.pop(id(key), None)

    def clear(self) -> None:
        """Forget all."""
        self._held.clear()
