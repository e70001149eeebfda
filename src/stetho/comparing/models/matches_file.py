"""The table of matches in a file that people can correct: one line for each pair, `first = second`."""

from collections.abc import Sequence
from pathlib import Path

from stetho.comparing.models.layers import Match
from stetho.comparing.models.trace import Trace
from stetho.config import unknown_name
from stetho.errors import UsageError

HEAD = """\
# Which layer of the first model is which of the second: first = second.
# Change, remove or add lines; the second call of a layer is name#2, and (model) is the whole.
# Lines that begin with # are not read.
"""
WHOLE = "(model)"


def write_matches(file: Path, matches: Sequence[Match]) -> None:
    """Write a table; layers without a partner are comments."""
    lines = []
    for match in matches:
        sides = [(each.name or WHOLE) if each is not None else "" for each in (match.one, match.other)]
        lines.append(f"{sides[0]} = {sides[1]}" if all(sides) else f"# {sides[0]} = {sides[1]}")
    try:
        file.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{file}: cannot be written ({error.strerror}); choose another place") from None


def read_matches(file: Path, one: Trace, other: Trace) -> list[tuple[str, str]]:
    """The pairs in a file: names of layers that both models have called."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: cannot be read ({error}); it is written by --matches FILE") from None
    found: list[tuple[str, str]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        first, sign, second = (word.strip() for word in line.partition("="))
        if not sign or not first or not second:
            raise UsageError(f"{file}:{number}: `{line.strip()}` is no match; a match is: first = second")
        pair = tuple(_known(name, trace, f"{file}:{number}") for name, trace in ((first, one), (second, other)))
        if any(known[0] == pair[0] or known[1] == pair[1] for known in found):
            raise UsageError(f"{file}:{number}: `{line.strip()}` matches a layer for the second time; keep one line")
        found.append((pair[0], pair[1]))
    return found


def _known(name: str, trace: Trace, place: str) -> str:
    names = [layer.name or WHOLE for layer in trace.layers]
    if name not in names:
        raise UsageError(f"{place}: {unknown_name('layer', name, names)} (of the {trace.name} model)")
    return "" if name == WHOLE else name
