"""Where runs are: from what a person types to the folder of a run."""

import re
from pathlib import Path

from stetho.config import read_options
from stetho.errors import NotARun, RunDamaged, RunNotFound, UsageError
from stetho.store.format import RUN_FILE

_RANK = re.compile(r"rank=(\d{1,9})")
_TIMESTAMP_LENGTH = len("2026-11-15_19-40-27")


def own_folder() -> Path:
    """The folder that runs are recorded into from here, as `[tool.stetho]` says.

    >>> own_folder().name
    'stetho-runs'
    """
    return Path(read_options({}, start=Path.cwd()).out)


def find_run(path: str | Path | None, rank: int | None) -> Path:
    """The folder with the run.json that is meant."""
    if path is None:
        return _of_rank(_latest(own_folder()), rank)
    folder = Path(path)
    if not folder.exists():
        return _of_rank(_by_name(str(path)), rank)
    if not folder.is_dir():
        raise NotARun(f"{folder}: is a file; a run is a folder with a {RUN_FILE}")
    return _of_rank(folder if _is_run(folder) else _latest(folder), rank)


def find_runs(out: Path) -> list[Path]:
    """The folders of the runs in `out`, oldest first; none when there is no such folder."""
    if not out.is_dir():
        return []
    try:
        return sorted(filter(_is_run, out.iterdir()), key=_age)
    except OSError as error:
        raise NotARun(f"{out}: cannot be read ({error.strerror}); check its permissions") from error


def rank_folders(folder: Path) -> dict[int, Path]:
    """The folders of the ranks of a distributed job."""
    try:
        found = [(_RANK.fullmatch(path.name), path) for path in folder.iterdir()]
    except OSError as error:
        raise RunDamaged(f"{folder}: cannot be read ({error.strerror}); check its permissions") from error
    return {int(match[1]): path for match, path in found if match and (path / RUN_FILE).exists()}


def _is_run(folder: Path) -> bool:
    return folder.is_dir() and ((folder / RUN_FILE).exists() or bool(rank_folders(folder)))


def _age(folder: Path) -> tuple[str, int, str]:
    # Names begin with the second of the start; runs of one second are told apart by when they were last written.
    file = min((folder / RUN_FILE, *(path / RUN_FILE for path in rank_folders(folder).values())), key=_written)
    return folder.name[:_TIMESTAMP_LENGTH], _written(file), folder.name


def _written(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def _latest(out: Path) -> Path:
    if not out.is_dir():
        raise RunNotFound(f"{out}: no such folder here; record a run with: stetho run train.py")
    runs = find_runs(out)
    if not runs:
        raise NotARun(f"{out}: holds neither a {RUN_FILE} nor runs; give the folder of a run, or a folder of runs")
    return runs[-1]


def _by_name(name: str) -> Path:
    out = own_folder()
    runs = find_runs(out)
    named = [run for run in runs if run.name == name] or [
        run for run in runs if re.fullmatch(rf"{re.escape(name)}(-\d+)?", run.name[_TIMESTAMP_LENGTH + 1 :])
    ]
    if not named:
        known = f"; the latest in {out}: {', '.join(run.name for run in runs[-3:])}" if runs else ""
        raise RunNotFound(f"{name}: no such folder, and no run of this name in {out}{known}")
    return named[-1]


def _of_rank(folder: Path, rank: int | None) -> Path:
    ranks = {} if (folder / RUN_FILE).exists() else rank_folders(folder)
    if rank is None:
        return ranks[min(ranks)] if ranks else folder
    if _RANK.fullmatch(folder.name):
        ranks = rank_folders(folder.parent)
    if rank not in ranks:
        known = f"its ranks are {', '.join(map(str, sorted(ranks)))}" if ranks else "it was recorded by one process"
        raise UsageError(f"{folder}: has no rank {rank}; {known}")
    return ranks[rank]
