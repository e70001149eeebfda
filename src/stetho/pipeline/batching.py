"""Samples put together as the model gets them, by the program's own function."""

from collections import Counter
from dataclasses import replace
from time import perf_counter
from typing import Any

from stetho.pipeline.arrays import as_array
from stetho.pipeline.columns import Columns
from stetho.pipeline.drawing import Draw, Source
from stetho.pipeline.facts import Batches, Key, Shown
from stetho.pipeline.leaves import leaves
from stetho.pipeline.odd_ones import odd_ones
from stetho.pipeline.padding import Padding
from stetho.pipeline.pictures import shown
from stetho.pipeline.settings import Settings


class Batching:
    """The batches of one epoch."""

    def __init__(self, source: Source, settings: Settings) -> None:
        self._source = source
        self._settings = settings
        self._keys: list[Key] = []
        self._samples: list[Any] = []
        self._columns = Columns("batch")
        self._padding = Padding()
        self._sizes: Counter[int] = Counter()
        self._seconds = 0.0
        self._first: tuple[Shown, ...] = ()
        self.failed_keys: tuple[Key, ...] = ()
        self.odd = ""
        """Which samples of the batch that failed are not like the others."""
        self.dropped = 0

    def add(self, draw: Draw, sample: Any) -> None:
        """Take one sample in; with the last of a batch, the batch is made."""
        if self._source.collate is None:
            return
        self._keys.append(draw.key)
        self._samples.append(sample)
        if draw.ends_batch:
            self._make()

    def skip(self, draw: Draw) -> None:
        """A sample is missing: its batch cannot be made as in training."""
        if draw.ends_batch:
            self._keys, self._samples = [], []

    def finish(self) -> None:
        """Make the last, short batch, unless the loader drops it."""
        if self._samples and self._source.drops_last:
            self.dropped = len(self._samples)
            self._samples = []
        elif self._samples:
            self._make()

    def _make(self) -> None:
        keys, samples = self._keys, self._samples
        self._keys, self._samples = [], []
        assert self._source.collate is not None
        read = [leaves(sample) for sample in samples]
        self.failed_keys = tuple(keys)
        started = perf_counter()
        try:
            batch = self._source.collate(samples)
        except Exception:
            self.odd = odd_ones(keys, read)
            raise
        self._seconds += perf_counter() - started
        self.failed_keys = ()
        self._sizes[len(keys)] += 1
        found = self._columns.add(self._columns.samples, batch, len(keys))
        self._padding.add(read, found)
        if not self._first and self._settings.pictures:
            self._first = tuple(self._rows(keys, found))

    def _rows(self, keys: list[Key], found: list[tuple[str, Any]]) -> list[Shown]:
        """Each row of the first batch, to look at."""
        rows: list[Shown] = []
        found = _gathered(found)
        for place, key in enumerate(keys[: self._settings.pictures]):
            row = [(name, each) for name, value in found if (each := _row(value, place, len(keys))) is not None]
            rows.append(shown(key, row, self._settings.decode))
        return rows

    def result(self) -> Batches | None:
        """What was found; None when no batch was made."""
        count = self._columns.samples
        if not count:
            return None
        shares, fillers = self._padding.shares, self._padding.fillers
        fields = tuple(
            replace(field, padding=shares.get(field.name), filler=fillers.get(field.name))
            for field in self._columns.fields()
        )
        sizes = tuple(size for size, _ in self._sizes.most_common())
        return Batches(count, sizes, fields, self._first, self._seconds / count)


def _gathered(found: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """The leaves of a batch, with the items of each list together again."""
    gathered: dict[str, Any] = {}
    for name, value in found:
        if "*" in name:
            gathered.setdefault(name, []).append(value)
        else:
            gathered[name] = value
    return list(gathered.items())


def _row(value: Any, place: int, size: int) -> Any:
    """What belongs to one sample of a batch; None for what does not go by samples."""
    if isinstance(value, list | tuple) and len(value) == size:
        return value[place]
    array = as_array(value)
    if array is None or array.ndim == 0 or len(array) != size:
        return None
    return array[place] if array.ndim > 1 else array[place].item()
