"""Being told when the process is copied."""

import os
from collections.abc import Callable
from typing import Protocol


class Forked(Protocol):
    """Somebody who has threads and files that a copy of the process must not have."""

    def before_fork(self) -> None:
        """The process is about to be copied."""

    def after_fork_in_parent(self) -> None:
        """It was, and this is the original."""

    def after_fork_in_child(self) -> None:
        """It was, and this is the copy."""


_followed: list[Callable[[], Forked | None]] = []


def follow_forks(who: Callable[[], Forked | None]) -> None:
    """Tell whoever `who()` gives, if anybody, of every fork from now on.

    >>> follow_forks(lambda: None)
    """
    if who in _followed or not hasattr(os, "register_at_fork"):
        return
    # Such functions cannot be taken back, so they are registered once and do nothing without somebody to tell.
    _followed.append(who)

    def telling(event: Callable[[Forked], None]) -> Callable[[], None]:
        def tell() -> None:
            told = who()
            if told is not None:
                event(told)

        return tell

    os.register_at_fork(
        before=telling(lambda told: told.before_fork()),
        after_in_parent=telling(lambda told: told.after_fork_in_parent()),
        after_in_child=telling(lambda told: told.after_fork_in_child()),
    )
