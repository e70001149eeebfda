"""What was found out about a data pipeline, as plain frozen data."""

from dataclasses import dataclass, field
from typing import Any, Literal

from stetho.explaining.report import ErrorReport

Key = Any
"""What a data set is asked for: mostly an index; a position in the stream where there is none."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of all samples, or of all batches.

    >>> Field("image", "float32", "[1, 28, 28]", values=60_000).name
    'image'
    """

    name: str
    make: str
    shape: str
    values: int
    missing: int = 0
    low: float | None = None
    high: float | None = None
    mean: float | None = None
    std: float | None = None
    nan: int = 0
    inf: int = 0
    zeros: float | None = None
    unique: int | None = None
    counts: tuple[tuple[str, int], ...] = ()
    """Values with how often each occurs, of a field with few values; the most frequent first."""
    is_label: bool = False
    constant: int | None = None
    """Positions that hold the same value in every sample, of `size`."""
    size: int | None = None
    blank: int = 0
    """Samples all of whose elements are equal."""
    nonfinite_at: tuple[Key, ...] = ()
    blank_at: tuple[Key, ...] = ()
    padding: float | None = None
    filler: float | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """A transform, or another function that takes part in making a sample; means over the samples looked at."""

    name: str
    depth: int
    seconds: float
    calls: float
    output: str = ""
    line: str = ""
    has_nan: bool = False
    is_chained: bool = False
    picture: "Picture | None" = None


@dataclass(frozen=True, slots=True)
class Failure:
    """A sample, or a batch, that could not be made."""

    step: Literal["sample", "batch", "order"]
    position: int
    key: Key
    error: ErrorReport
    odd: str = ""
    """Which samples of a batch are not like the others."""


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Samples with equal inputs."""

    looked_at: int
    extra: int = 0
    """How many samples repeat an earlier one."""
    pairs: tuple[tuple[Key, Key], ...] = ()
    conflicts: int = 0
    """How many of them have another label than the earlier one."""
    conflicting: tuple[tuple[Key, Key], ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """A value to look at: an image (PNG), a curve (its lowest and highest value in each stretch), or a text."""

    kind: Literal["image", "curve", "text"]
    title: str
    png: bytes = b""
    width: int = 0
    height: int = 0
    curve: tuple[tuple[float, float], ...] = ()
    text: str = ""
    faded_from: int | None = None
    """Where padding begins in a text, in letters."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A sample to look at: its key, its pictures, and its other values as short text."""

    key: Key
    pictures: tuple[Picture, ...]
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Split:
    """Another data set beside the first: its fields, and what both have in common."""

    name: str
    samples: int
    fields: tuple[Field, ...]
    shared: int
    shared_pairs: tuple[tuple[Key, Key], ...]
    duplicates: Duplicates
    failures: tuple[Failure, ...] = ()


@dataclass(frozen=True, slots=True)
class Batches:
    """The batches as the model gets them."""

    count: int
    sizes: tuple[int, ...]
    """The sizes that occur, in samples, the most frequent first."""
    fields: tuple[Field, ...]
    first: tuple[Shown, ...] = ()
    seconds: float = 0.0
    """Time for putting one together, without making its samples."""


@dataclass(frozen=True, slots=True)
class Report:
    """All that was found out about one data pipeline."""

    name: str
    title: str
    length: int | None
    samples: int
    seconds: float
    median: float
    """Time for a sample in the middle of all."""
    slowest: tuple[tuple[Key, float], ...]
    facts: tuple[tuple[str, str], ...]
    fields: tuple[Field, ...]
    stages: tuple[Stage, ...] = ()
    traced: int = 0
    batches: Batches | None = None
    failures: tuple[Failure, ...] = ()
    duplicates: Duplicates | None = None
    splits: tuple[Split, ...] = ()
    shown: tuple[Shown, ...] = ()
    remarks: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())
