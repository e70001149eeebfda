"""The random state of the caller: kept while samples are made, and put back afterwards."""

import contextlib
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

DEPTH = 3
MOST_PARTS = 64
_LIBRARIES = frozenset(("builtins", "torch", "numpy", "PIL", "collections", "functools"))

PutBack = Callable[[], None]


@contextlib.contextmanager
def random_state_kept(holders: Sequence[Any] = ()) -> Iterator[None]:
    """Put the global generators back, and those that objects keep in their attributes.

    >>> random.seed(0); expected = random.random(); random.seed(0)
    >>> with random_state_kept():
    ...     ignored = random.random()
    >>> random.random() == expected
    True
    """
    put_back = [_python(), _numpy(), *_torch()]
    seen: set[int] = set()
    for holder in holders:
        put_back += _generators(holder, seen, DEPTH)
    try:
        yield
    finally:
        for each in put_back:
            each()


def seed_all(seed: int) -> None:
    """Seed the global generators."""
    random.seed(seed)
    np.random.seed(seed)
    if "torch" in sys.modules:
        from stetho.pipeline.torch.random_state import seed_torch

        seed_torch(seed)


def _python() -> PutBack:
    state = random.getstate()
    return lambda: random.setstate(state)


def _numpy() -> PutBack:
    state = np.random.get_state()
    return lambda: np.random.set_state(state)


def _torch() -> list[PutBack]:
    if "torch" not in sys.modules:
        return []
    from stetho.pipeline.torch.random_state import torch_states

    return torch_states()


def _generators(holder: Any, seen: set[int], depth: int) -> Iterator[PutBack]:
    """How to put back each generator that an object holds."""
    if id(holder) in seen:
        return
    seen.add(id(holder))
    found = _generator(holder)
    if found is not None:
        yield found
        return
    is_container = isinstance(holder, list | tuple)
    if depth == 0 or not (is_container or type(holder).__module__.partition(".")[0] not in _LIBRARIES - {"torch"}):
        return
    parts = holder if is_container else list(getattr(holder, "__dict__", {}).values())
    for part in parts[:MOST_PARTS]:
        yield from _generators(part, seen, depth - 1)


def _generator(value: Any) -> PutBack | None:
    if isinstance(value, random.Random):
        own = value.getstate()
        return lambda: value.setstate(own)
    if isinstance(value, np.random.Generator):
        bits = value.bit_generator
        state = bits.state

        def put_back() -> None:
            bits.state = state

        return put_back
    if isinstance(value, np.random.RandomState):
        old = value.get_state()
        return lambda: value.set_state(old)
    if "torch" in sys.modules:
        from stetho.pipeline.torch.random_state import generator_state

        return generator_state(value)
    return None
