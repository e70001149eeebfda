"""The columns of a table of a run as numpy arrays."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from stetho.checks.run.series import Array


class Table(Mapping[str, Array]):
    """Columns by name, made when they are first asked for.

    Numbers are float64 with NaN where nothing was recorded; true and false are 1 and 0. Texts are arrays of `str` (or
    None), lists arrays of arrays (or None).

    >>> table = Table(2, {"loss": lambda: np.array([2.0, 1.0])})
    >>> table["loss"].tolist(), table.count, sorted(table)
    ([2.0, 1.0], 2, ['loss'])
    """

    def __init__(self, count: int, columns: Mapping[str, Callable[[], Array]]) -> None:
        self.count = count
        self._make = dict(columns)
        self._made: dict[str, Array] = {}

    def __getitem__(self, name: str) -> Array:
        if name not in self._made:
            if name not in self._make:
                raise KeyError(f"no column {name!r}; columns: {', '.join(self._make)}")
            column = self._make[name]()
            # One check must not change what the next one sees.
            column.flags.writeable = False
            self._made[name] = column
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._make)

    def __len__(self) -> int:
        return len(self._make)

    def where(self, chosen: Array) -> "Table":
        """The rows that a mask chooses."""

        def part(name: str) -> Callable[[], Array]:
            return lambda: self[name][chosen]

        return Table(int(np.count_nonzero(chosen)), {name: part(name) for name in self._make})

    def with_column(self, name: str, make: Callable[[], Array]) -> "Table":
        """The same rows with one column more."""
        return Table(self.count, {**self._make, name: make})
