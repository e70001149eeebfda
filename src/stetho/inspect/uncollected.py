"""Python's search for garbage put off: what is written down of a model all stays, and is no reason to look for any."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """While this lasts, nobody looks for garbage; afterwards that is as it was.

    A search goes through everything that was made since the last one: thousands of records, several times over.

    >>> with uncollected():
    ...     gc.isenabled()
    False
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
