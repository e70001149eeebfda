"""Older formats stay readable: each has one migration, which turns what it wrote into the next version while reading.

To change the format: raise `FORMAT_VERSION`, add the entry for the version before it to `MIGRATIONS`, and keep a small
run of that version among the tests. Files on disk are never rewritten.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from stetho.errors import RunVersionError
from stetho.store.format import FORMAT_VERSION, OLDEST_READABLE

Info = dict[str, Any]


def _as_it_is(_table: str, rows: pa.RecordBatch) -> pa.RecordBatch:
    return rows


@dataclass(frozen=True, slots=True)
class Migration:
    """How one version becomes the next: the content of run.json, and the rows of each table."""

    info: Callable[[Info], Info] = dict
    rows: Callable[[str, pa.RecordBatch], pa.RecordBatch] = _as_it_is


MIGRATIONS: Mapping[int, Migration] = {}
"""From the version that a migration starts at to the migration."""


def migrations_from(version: int, place: str) -> list[Migration]:
    """The migrations, in order, that turn `version` into the version of this package.

    >>> migrations_from(FORMAT_VERSION, "run.json")
    []
    """
    if version > FORMAT_VERSION:
        raise RunVersionError(
            f"{place}: written in run format {version}, and this stetho reads up to format {FORMAT_VERSION}; "
            "run: pip install --upgrade stetho"
        )
    if version < OLDEST_READABLE:
        raise RunVersionError(
            f"{place}: written in run format {version}, and this stetho reads formats {OLDEST_READABLE} to "
            f"{FORMAT_VERSION}; use an older stetho"
        )
    return [MIGRATIONS[older] for older in range(version, FORMAT_VERSION)]
