"""A function done in a process of its own, whose death is told and not shared."""

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from stetho.comparing.last_words import death_of
from stetho.errors import StethoError


class DiedApart(StethoError):
    """The process that did something for us died."""


def apart(do: Callable[..., Any], *given: Any, name: str) -> Any:
    """What a function of a module gives for these arguments, done in a new process; `name` says what it is done to.

    >>> apart(divmod, 7, 2, name="seven")
    (3, 1)
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_do, args=(theirs, do, given))
    process.start()
    theirs.close()
    try:
        is_done, result = ours.recv()
    except EOFError:
        process.join()
        raise DiedApart(
            f"`{name}` was not done: {death_of(process.exitcode or 0, '') or 'the process ended early'}"
        ) from None
    process.join()
    if not is_done:
        raise result
    return result


def _do(pipe: Connection, do: Callable[..., Any], given: tuple[Any, ...]) -> None:
    try:
        pipe.send((True, do(*given)))
    except Exception as error:
        pipe.send((False, error))
