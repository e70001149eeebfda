"""Fields filled sample by sample: which shapes and makes occur, what is missing, and the numbers of each."""

from collections import Counter
from typing import Any

from stetho.pipeline.arrays import as_array, make_of
from stetho.pipeline.facts import Field, Key
from stetho.pipeline.leaves import leaves
from stetho.pipeline.moments import Moments

MOST_COUNTS = 1000
MOST_TEXTS = 10_000
SHAPES_LISTED = 3


class Columns:
    """All fields of samples.

    >>> columns = Columns()
    >>> for key in range(4): ignored = columns.add(key, {"x": [0.5, 1.0], "y": key % 2})
    >>> [(field.name, field.shape, field.unique) for field in columns.fields()]
    [('x', '[2]', None), ('y', '[]', 2)]
    """

    def __init__(self, whole: str = "sample") -> None:
        self._whole = whole
        self._columns: dict[str, Column] = {}
        self.samples = 0

    def add(self, key: Key, sample: Any, size: int | None = None) -> list[tuple[str, Any]]:
        """Take one sample in, or a batch of a size, and give its leaves."""
        self.samples += 1
        found = leaves(sample, self._whole, size)
        for name, value in found:
            column = self._columns.get(name)
            if column is None:
                column = self._columns[name] = Column(name)
            column.add(key, value, self.samples)
        return found

    def fields(self) -> tuple[Field, ...]:
        """What was found so far."""
        return tuple(column.field(self.samples) for column in self._columns.values())


class Column:
    """One field of all samples."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.values = 0
        self._makes: Counter[str] = Counter()
        self._shapes: Counter[tuple[int, ...]] = Counter()
        self._texts: Counter[str] | None = Counter()
        self._lengths = (0, 0)
        self._moments = Moments()
        self._in_samples = self._last = 0

    def add(self, key: Key, value: Any, sample: int) -> None:
        """Take one value in."""
        self.values += 1
        if sample != self._last:
            self._last = sample
            self._in_samples += value is not None
        self._makes[make_of(value)] += 1
        if isinstance(value, str | bytes):
            self._add_text(value)
            return
        array = as_array(value)
        if array is not None:
            self._shapes[array.shape] += 1
            self._moments.add(key, array)

    def _add_text(self, value: str | bytes) -> None:
        low, high = self._lengths
        self._lengths = min(low or len(value), len(value)), max(high, len(value))
        if self._texts is not None:
            self._texts[value if isinstance(value, str) else repr(value[:40])] += 1
            self._texts = self._texts if len(self._texts) <= MOST_TEXTS else None

    def field(self, samples: int) -> Field:
        """What was found so far."""
        moments = self._moments
        moments.flush()
        counts = self._counts()
        has_numbers = moments.finite > 0
        return Field(
            name=self.name,
            make=" | ".join(make for make, _ in self._makes.most_common(3)),
            shape=self._shape(),
            values=self.values,
            missing=samples - self._in_samples,
            low=moments.low if has_numbers else None,
            high=moments.high if has_numbers else None,
            mean=moments.mean if has_numbers else None,
            std=moments.std if has_numbers else None,
            nan=moments.nan,
            inf=moments.inf,
            zeros=moments.zeros / moments.elements if moments.elements else None,
            unique=len(counts) if counts else None,
            counts=tuple((str(value), n) for value, n in counts.most_common(MOST_COUNTS)) if counts else (),
            is_label=self._is_label(counts),
            constant=moments.constant,
            size=_elements(next(iter(self._shapes))) if len(self._shapes) == 1 else None,
            blank=moments.blank,
            nonfinite_at=tuple(moments.nonfinite_at),
            blank_at=tuple(moments.blank_at),
        )

    def _counts(self) -> Counter[Any] | None:
        if self._texts and not self._shapes:
            return self._texts
        return self._moments.counts if self._shapes else None

    def _is_label(self, counts: Counter[Any] | None) -> bool:
        """Whether each sample has one of a few values, so that it could be a class."""
        if not counts or any(shape not in ((), (1,)) for shape in self._shapes):
            return False
        is_whole = all(isinstance(value, str) or float(value).is_integer() for value in counts)
        return is_whole and len(counts) <= MOST_COUNTS and 2 * len(counts) <= max(self.values, 2)

    def _shape(self) -> str:
        if not self._shapes:
            low, high = self._lengths
            return "" if not high else f"{low} letters" if low == high else f"{low}…{high} letters"
        ranks = {len(shape) for shape in self._shapes}
        if len(ranks) > 1:
            listed = [str(list(shape)) for shape, _ in self._shapes.most_common(SHAPES_LISTED)]
            return " | ".join(listed) + (" | …" if len(self._shapes) > SHAPES_LISTED else "")
        sizes = [(min(along), max(along)) for along in zip(*self._shapes, strict=True)]
        return f"[{', '.join(str(low) if low == high else f'{low}…{high}' for low, high in sizes)}]"


def _elements(shape: tuple[int, ...]) -> int:
    elements = 1
    for along in shape:
        elements *= along
    return elements
