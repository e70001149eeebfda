"""Reads a run back, finished, killed or still being written, without the framework that made it."""

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa

from stetho.errors import MissingPackage, NotARun, RunDamaged, UsageError
from stetho.records import Series
from stetho.store.columns import Array
from stetho.store.documents import read_lines, read_object
from stetho.store.find import find_run, find_runs, rank_folders
from stetho.store.format import (
    CRASHES_FILE,
    ERROR_FILE,
    LAST_WORDS_FILE,
    MEASURES,
    MODEL_FILE,
    NOTES_FILE,
    RUN_FILE,
    TABLES,
    TENSORS_FOLDER,
)
from stetho.store.last_words import read_last_words
from stetho.store.liveness import is_alive
from stetho.store.migrations import migrations_from
from stetho.store.series_names import Naming, named_schema, read_series, series_table
from stetho.store.table_reader import Rows, TableReader
from stetho.store.tensors import read_tensors, tensor_files

if TYPE_CHECKING:
    import pandas as pd


class Run:
    """A recorded run. What it has read it keeps; `refresh` looks again, for a run that is still being written.

    Any file that is not what the format says is a `RunDamaged` with its path, at the first use of that file.

    >>> from stetho.store.writer import RunWriter
    >>> writer = RunWriter.create(Path("runs"), "train", {})
    >>> writer.append("steps", {"step": 1, "loss": 2.5})
    >>> writer.append("steps", {"step": 2, "loss": 1.5})
    >>> writer.close({})
    >>> run = Run(writer.path)
    >>> run.state, run.table("steps")["loss"].to_pylist()
    ('finished', [2.5, 1.5])
    >>> run.query("select max(loss) as worst from steps").to_pylist()
    [{'worst': 2.5}]
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        info = _read_info(path)
        self._migrations = migrations_from(info["format"], str(path / RUN_FILE))
        for migration in self._migrations:
            info = migration.info(info)
        self.info: dict[str, Any] = info
        self._tables = {name: TableReader(path / name, name, self._migrations) for name in TABLES}
        self._rows: dict[str, Rows] = {}

    def __repr__(self) -> str:
        return f"<Run {self.name}: {self.state}>"

    @property
    def name(self) -> str:
        """The name of the run's folder, which its ranks share."""
        return self.path.absolute().parent.name if self.path.name.startswith("rank=") else self.path.absolute().name

    @property
    def ranks(self) -> list[int]:
        """The ranks of the distributed job that this run belongs to; empty for a single process."""
        return sorted(rank_folders(self.path.parent)) if self.path.name.startswith("rank=") else []

    @property
    def state(self) -> Literal["running", "killed", "finished"]:
        """Whether the program has ended, is alive, or has gone without saying so."""
        if "ended" in self.info:
            return "finished"
        return "running" if is_alive(self.path, self.info) else "killed"

    @functools.cached_property
    def model(self) -> dict[str, Any]:
        """The content of model.json; empty when the program came to no forward pass."""
        try:
            return read_object(self.path / MODEL_FILE)
        except FileNotFoundError:
            return {}

    @functools.cached_property
    def notes(self) -> list[dict[str, Any]]:
        """What could not be seen, and what happened."""
        return read_lines(self.path / NOTES_FILE)

    @functools.cached_property
    def error(self) -> dict[str, Any]:
        """The error that ended the program; empty when there was none."""
        try:
            return read_object(self.path / ERROR_FILE)
        except FileNotFoundError:
            return {}

    @functools.cached_property
    def crashes(self) -> list[dict[str, Any]]:
        """What was left of a process that died or hung, in the order of time."""
        return [*read_lines(self.path / CRASHES_FILE), *read_last_words(self.path / LAST_WORDS_FILE)]

    @functools.cached_property
    def series(self) -> list[Series]:
        """All series of the `stats` and `histograms` tables."""
        return read_series(self.path)

    def refresh(self) -> None:
        """Forget what was read, so that the next use sees what has been written since."""
        self.info = Run(self.path).info
        self._rows.clear()
        for name in ("model", "notes", "error", "crashes", "series", "_naming"):
            self.__dict__.pop(name, None)

    def table(self, name: str) -> pa.Table:
        """A whole table, in order of recording; `stats` and `histograms` by segment, each sorted by series and step.

        These two come with model, name, role and phase beside the series id.
        """
        batches = list(self.batches(name))
        return pa.Table.from_batches(batches, named_schema(TABLES[name]))

    def batches(self, name: str) -> Iterator[pa.RecordBatch]:
        """The rows of `table`, a segment at a time."""
        rows = self.rows(name)
        if "series" not in TABLES[name].names:
            yield from rows.batches()
            return
        naming = self._naming_for(rows)
        yield from map(naming.of_segment, rows.segments)
        yield from map(naming.of_batch, rows.tail)

    def frame(self, name: str) -> "pd.DataFrame":
        """A whole table as a pandas data frame."""
        try:
            import pandas  # noqa: F401
        except ImportError:
            raise MissingPackage("pandas", "a data frame", "pandas") from None
        return self.table(name).to_pandas()

    def values(self, stat: str, name: str, *, model: int = 0, phase: str = "train") -> tuple[Array, Array]:
        """Steps and values of one stat of one layer or parameter: `run.values("act.rms", "encoder.0")`."""
        role, _, measure = stat.rpartition(".")
        if measure not in MEASURES or not role:
            raise UsageError(f"no stat {stat!r}; a stat is role.measure, with a measure of {', '.join(MEASURES)}")
        return self.rows("stats").of_series(self.series_of(role, name, model=model, phase=phase).id, measure)

    def series_of(self, role: str, name: str, *, model: int = 0, phase: str = "train") -> Series:
        """The series with this role and name."""
        for one in self.series:
            if (one.name, one.role, one.model, one.phase) == (name, role, model, phase):
                return one
        roles = sorted({f"{one.role} ({one.phase}, model {one.model})" for one in self.series if one.name == name})
        known = f"{name} has: {', '.join(roles)}" if roles else _nearest(name, self.series)
        raise UsageError(f"no {role} of {name!r} in phase {phase} of model {model} was recorded; {known}")

    def step(self, step: int) -> pa.Table:
        """All rows of `stats` of one step."""
        rows = self.rows("stats")
        named = map(self._naming_for(rows).of_batch, rows.of_steps(step, step))
        return pa.Table.from_batches(named, named_schema(TABLES["stats"]))

    def tensors(self, step: int) -> dict[str, Array]:
        """The whole tensors that were saved at a step; empty when none were."""
        tensors: dict[str, Array] = {}
        for path in tensor_files(self.path / TENSORS_FOLDER, step):
            if not path.exists():
                break
            tensors |= read_tensors(path)
        return tensors

    def query(self, sql: str) -> pa.Table:
        """The result of a SQL query over views that are named like the tables, and `series`."""
        from stetho.store.sql import run_query

        rows = {name: pa.Table.from_batches(self.rows(name).batches(), schema) for name, schema in TABLES.items()}
        return run_query(sql, rows, series_table(self.series))

    def rows(self, name: str) -> Rows:
        """The rows of a table as they lie on disk, without a copy."""
        if name not in self._tables:
            raise UsageError(f"no table {name!r}; tables: {', '.join(TABLES)}")
        if name not in self._rows:
            self._rows[name] = self._tables[name].read()
        return self._rows[name]

    def insist_on_names(self) -> None:
        """RunDamaged where rows belong to a series that nothing defines, which a reader by name would not see."""
        for name in ("stats", "histograms"):
            self._naming_for(self.rows(name))

    def _naming_for(self, rows: Rows) -> Naming:
        if not self._naming.knows(rows):
            # Series are defined before their rows are written, but ours may have been read before that.
            for name in ("series", "_naming"):
                self.__dict__.pop(name, None)
            if not self._naming.knows(rows):
                raise RunDamaged(f"{self.path}: rows of series that series.jsonl does not define; copy the run again")
        return self._naming

    @functools.cached_property
    def _naming(self) -> Naming:
        return Naming(self.series)


def open_run(path: str | Path | None = None, *, rank: int | None = None) -> Run:
    """Open a run: its folder, a folder of runs or None for the latest, or the name of one that was recorded here.

    A distributed job opens at its lowest rank unless one is given.

    >>> from stetho.store.writer import RunWriter
    >>> writer = RunWriter.create(Path("runs"), "train", {"command": ["train.py"]})
    >>> open_run("runs").info["command"]
    ['train.py']
    """
    return Run(find_run(path, rank))


def list_runs(out: Path) -> list[Run]:
    """The runs in a folder that can be opened, oldest first; a distributed job counts once.

    >>> from stetho.store.writer import RunWriter
    >>> writers = [RunWriter.create(Path("more-runs"), name, {}) for name in ("first", "second")]
    >>> [run.info["name"] for run in list_runs(Path("more-runs"))]
    ['first', 'second']
    """
    runs = []
    for folder in find_runs(out):
        try:
            runs.append(open_run(folder))
        except (RunDamaged, NotARun):
            continue
    return runs


def _read_info(path: Path) -> dict[str, Any]:
    file = path / RUN_FILE
    try:
        info = read_object(file)
    except FileNotFoundError:
        raise NotARun(f"{path}: holds no {RUN_FILE}; give the folder of a run, or a folder of runs") from None
    if type(info.get("format")) is not int:
        raise RunDamaged(f"{file}: format is {info.get('format')!r}; it should be the number of a run format")
    return info


def _nearest(name: str, series: list[Series]) -> str:
    import difflib

    names = sorted({one.name for one in series})
    near = difflib.get_close_matches(name, names, 5, 0.4) or names[:5]
    return f"recorded are {', '.join(near)}, …" if near else "no series was recorded"
