"""A folder of runs as a table: one row for each run, also for those that cannot be read."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from stetho.errors import RunError
from stetho.store import loose
from stetho.views import text
from stetho.views.summary import crash_of, seconds_of, started_of, steps_of
from stetho.views.table import Column

if TYPE_CHECKING:
    from stetho.store.reader import Run

COLUMNS = (
    Column("run", is_text=True),
    Column("started", is_text=True, is_optional=True),
    Column("state", is_text=True),
    Column("steps"),
    Column("loss"),
    Column("time"),
    Column("exit"),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One run of a listing."""

    name: str
    path: Path
    started: datetime | None = None
    state: str = "unreadable"
    steps: int | None = None
    loss: float | None = None
    seconds: float | None = None
    exit_code: int | None = None
    ending: str = "unreadable"
    problem: str | None = None


def entries(out: Path) -> list[Entry]:
    """The runs of a folder, oldest first."""
    from stetho.store.find import find_runs
    from stetho.store.reader import open_run

    found = []
    for folder in find_runs(out):
        try:
            found.append(entry(open_run(folder)))
        except RunError as error:
            found.append(Entry(folder.name, folder, problem=str(error)))
    return found


def entry(run: "Run") -> Entry:
    """The row of one run."""
    steps = run.table("steps")
    losses = steps["loss"].drop_null()
    end = loose.mapping(run.info.get("exit"))
    return Entry(
        name=run.name,
        path=run.path,
        started=started_of(run.info),
        state=run.state,
        steps=steps_of(run.info, steps),
        loss=losses[-1].as_py() if len(losses) else None,
        seconds=seconds_of(run.info, steps),
        exit_code=loose.whole(end.get("code")),
        ending=_ending(run, loose.line(end.get("kind"))),
    )


def _ending(run: "Run", kind: str | None) -> str:
    """How the program ended, in a word; the exit status stands beside it."""
    if run.state == "killed":
        return "crashed" if crash_of(run) else "killed"
    words = {"exit": "finished", "exception": "failed", "steps reached": "stopped"}
    return words.get(kind, kind) if run.state == "finished" and kind else run.state


def rows(listed: Sequence[Entry]) -> list[list[str]]:
    """The rows of the table."""
    return [
        [
            each.name,
            f"{each.started:%Y-%m-%d %H:%M}" if each.started else text.MISSING,
            each.ending,
            text.count(each.steps),
            text.number(each.loss),
            text.seconds(each.seconds),
            text.MISSING if each.exit_code is None else str(each.exit_code),
        ]
        for each in listed
    ]
