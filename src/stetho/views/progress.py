"""A bar on stderr while something long goes on, where that is a terminal."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from time import monotonic

SECONDS_BETWEEN_UPDATES = 0.1


@contextlib.contextmanager
def progress_on_stderr(what: str) -> Iterator[Callable[[int, int | None], None]]:
    """Something to be told how much is done, and of how much; a new total begins anew.

    >>> with progress_on_stderr("samples") as tell:
    ...     tell(1, 10)
    """
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("stetho"), BarColumn(), MofNCompleteColumn(), TextColumn(what), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(what, total=None)
        told = 0.0

        def tell(done: int, total: int | None) -> None:
            nonlocal told
            # A bar takes longer to move than many a sample to be made.
            if (now := monotonic()) - told >= SECONDS_BETWEEN_UPDATES or done == total:
                told = now
                bar.update(task, completed=done, total=total)

        yield tell
