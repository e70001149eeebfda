"""When a program has made enough steps: as many as the user asked for, or one of each optimizer for a dry run."""

from stetho.config import Options

STEPS_FOR_EACH = 10
"""A dry run waits so long for an optimizer that never steps, or not yet, before it ends without it."""


class Limit:
    """Counts what has stepped, and says when that is enough.

    >>> limit = Limit(Options(dry_run=True))
    >>> limit.stepped(0), limit.is_reached(done=1, optimizers=2)
    (0, False)
    >>> limit.stepped(1), limit.is_reached(done=2, optimizers=2)
    (1, True)
    """

    def __init__(self, options: Options) -> None:
        self._steps = options.steps
        self._is_dry = options.dry_run
        self.is_set = self._steps is not None or self._is_dry or options.trace_from is not None
        """Whether the program is ever to end before its own end; asked in every step."""
        self._stepped: set[int] = set()

    def stepped(self, optimizer: int) -> int:
        """An optimizer, by its number, has made a step; gives the number back."""
        self._stepped.add(optimizer)
        return optimizer

    def is_reached(self, done: int, optimizers: int) -> bool:
        """Whether the program is to end after `done` steps."""
        if self._steps is not None and done >= self._steps:
            return True
        if not self._is_dry:
            return False
        return len(self._stepped) >= optimizers or done >= STEPS_FOR_EACH * optimizers
