"""A profile in a file: what is written is told by how the file's name ends."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from stetho.errors import UsageError
from stetho.profiling.document import write_csv, write_json, write_trace
from stetho.profiling.flame import folded, tree, write_speedscope
from stetho.profiling.flame_page import flame_page
from stetho.profiling.records import Profile

Write = Callable[[Profile, TextIO], object]

ENDINGS: dict[str, tuple[str, Write]] = {
    ".trace.json": ("the time line of some steps for Chrome and Perfetto", write_trace),
    ".speedscope.json": ("stacks for speedscope", lambda profile, file: write_speedscope(profile, file, "stetho")),
    ".json": ("everything but the time line", write_json),
    ".csv": ("a row for each layer and operation", write_csv),
    ".html": ("a flame graph that opens in a browser", lambda profile, file: file.write(_page(profile))),
    ".folded": ("stacks as lines of text, for flame graph tools", lambda profile, file: file.write(folded(profile))),
}
"""Endings, the longer ones first, with what stands in such a file."""


def ending_of(file: Path) -> str:
    """The ending that tells what to write.

    >>> ending_of(Path("a/step.trace.json")), ending_of(Path("step.json"))
    ('.trace.json', '.json')
    """
    found = next((ending for ending in ENDINGS if file.name.lower().endswith(ending)), None)
    if found is None:
        raise UsageError(
            f"how the name ends tells what is written ({', '.join(ENDINGS)}), and this tells nothing: {file}"
        )
    return found


def check_file(file: Path) -> None:
    """Complain about a file that could not be written, before a program is run for it."""
    ending_of(file)
    if not file.absolute().parent.is_dir():
        raise UsageError(f"there is no such folder to write into: {file.parent}")
    if file.is_dir():
        raise UsageError(f"a folder stands where the file is to be written: {file}")


def write_profile(profile: Profile, file: Path) -> None:
    """Write a profile into a file, all of it or nothing."""
    check_file(file)
    content = io.StringIO()
    ENDINGS[ending_of(file)][1](profile, content)
    try:
        file.write_text(content.getvalue(), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot be written ({error.strerror}): {file}") from None


def _page(profile: Profile) -> str:
    return flame_page(tree(profile), "stetho profile: a step")
