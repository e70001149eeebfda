"""Code of the user's that runs along: at the beginning and end of the run, of epochs and of steps."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path


class Callback:
    """Override what you need; the other methods do nothing.

    >>> class Printing(Callback):
    ...     def on_step_end(self, step, row):
    ...         print(step, row["loss"])
    >>> Printing().on_step_end(1, {"loss": 0.5})
    1 0.5
    """

    def on_run_begin(self) -> None:
        """Watching begins."""

    def on_run_end(self, path: Path | None) -> None:
        """Watching ends; `path` is the folder of the run, None if nothing was recorded."""

    def on_epoch_begin(self, epoch: int) -> None:
        """The training loader was begun anew; 1 is the first epoch."""

    def on_epoch_end(self, epoch: int) -> None:
        """An epoch is over."""

    def on_step_begin(self, step: int) -> None:
        """A step begins; 1 is the first one."""

    def on_step_end(self, step: int, row: Mapping[str, object]) -> None:
        """A step is over; `row` is its row of the `steps` table."""


class Callbacks:
    """All callbacks of a run. One that raises is dropped with a warning; the others go on."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        self.all: list[Callback] = []
        self._warn = warn

    def add(self, callbacks: object) -> None:
        """Take one callback, several, or nothing."""
        if isinstance(callbacks, Callback):
            self.all.append(callbacks)
        elif isinstance(callbacks, Iterable):
            self.all.extend(one for one in callbacks if isinstance(one, Callback))

    def call(self, method: str, *arguments: object) -> None:
        """Call a method of all callbacks."""
        for callback in list(self.all):
            try:
                getattr(callback, method)(*arguments)
            except Exception as error:
                self.all.remove(callback)
                name = f"{type(callback).__name__}.{method}"
                self._warn(f"callback `{name}` raised {type(error).__name__}: {error}; it is not called any more")
