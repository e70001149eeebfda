"""A folder of its own for a program: a copy of the one it is started in, so that what it saves stays out of that."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from stetho.capture.launch import Program
from stetho.errors import UsageError
from stetho.store.format import MODEL_FILE
from stetho.store.reader import Run, open_run

MOST_BYTES, MOST_FILES = 2 << 30, 100_000
"""A copy of more would take minutes, and the room that a computer has for files of a moment."""
LEFT_OUT = "__pycache__"


@contextmanager
def copied(source: Path, target: Path) -> Iterator[Path]:
    """A copy of a folder, which is gone afterwards.

    Hidden folders and Python environments are linked, since nobody keeps checkpoints there, and links stay links.
    """
    _check_size(source)
    _copy(source, target)
    try:
        yield target
    finally:
        shutil.rmtree(target, ignore_errors=True)


def moved_into(program: Program, source: Path) -> Program:
    """The program as it is started in a copy of a folder: below that it is copied too, elsewhere it stays.

    >>> moved_into(Program("/home/me/work/train.py"), Path("/home/me/work")).target
    'train.py'
    >>> moved_into(Program("../train.py"), Path("/home/me/work")).target
    '/home/me/train.py'
    """
    if program.is_module:
        return program
    file = os.path.normpath(source / program.target)
    inside = Path(file).is_relative_to(source)
    return replace(program, target=os.path.relpath(file, source) if inside else file)


def told_of(run: Run, copy: Path, source: Path) -> Run:
    """A run in a copy, whose lines are those of the folder that was copied: the copy will be gone."""
    file = run.path / MODEL_FILE
    if file.exists():
        ours, theirs = (json.dumps(f"{each}{os.sep}")[1:-1] for each in (copy, source))
        file.write_text(file.read_text(encoding="utf-8").replace(ours, theirs), encoding="utf-8")
    return open_run(run.path)


def changed_files(folder: Path, before: dict[str, tuple[int, int]]) -> list[str]:
    """The files that are new or were written to since their states were taken, by their names in the folder."""
    return [name for name, state in states(folder).items() if before.get(name) != state]


def states(folder: Path) -> dict[str, tuple[int, int]]:
    """Size and time of every file of a folder, by its name in it."""
    found = {}
    for file in _files(folder):
        about = file.stat()
        found[os.path.relpath(file, folder)] = about.st_size, about.st_mtime_ns
    return found


def _check_size(source: Path) -> None:
    sizes: dict[str, int] = {}
    for count, file in enumerate(_files(source), start=1):
        part = os.path.relpath(file, source).partition(os.sep)[0]
        sizes[part] = sizes.get(part, 0) + file.stat().st_size
        if count > MOST_FILES or sum(sizes.values()) > MOST_BYTES:
            largest = max(sizes, key=lambda each: sizes[each])
            raise UsageError(
                "the program is run in a copy of the folder that it is started in, so that your checkpoints stay as "
                f"they are, and the folder is too large for that: more than {MOST_BYTES >> 30} GB or {MOST_FILES:,} "
                f"files, most of it in {largest}; put this elsewhere and a link in its place: {source}"
            )


def _files(folder: Path) -> Iterator[Path]:
    """The plain files of a folder and those below it that are copied."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if each != LEFT_OUT and not _is_linked(Path(place, each)))
        yield from (file for name in sorted(names) if (file := Path(place, name)).is_file() and not file.is_symlink())


def _is_linked(folder: Path) -> bool:
    return folder.is_symlink() or folder.name.startswith(".") or (folder / "pyvenv.cfg").exists()


def _copy(source: Path, target: Path) -> None:
    for place, folders, names in os.walk(source):
        here = target / os.path.relpath(place, source)
        here.mkdir(parents=True, exist_ok=True)
        for each in (Path(place, name) for name in (*folders, *names)):
            if each.is_symlink() or (each.is_dir() and _is_linked(each)):
                (here / each.name).symlink_to(_end_of_link(each, source, target))
            elif each.is_file():
                shutil.copy2(each, here / each.name)
        folders[:] = [each for each in folders if each != LEFT_OUT and not _is_linked(Path(place, each))]


def _end_of_link(link: Path, source: Path, target: Path) -> Path:
    """Where a link leads in the copy: one to the newest checkpoint leads to the copy of that."""
    end, root = link.resolve(), source.resolve()
    is_inside = link.is_symlink() and end.is_relative_to(root)
    return target / end.relative_to(root) if is_inside else end
