"""The table of matches in a file that people can correct: one line for each pair, `first = second`."""

from collections.abc import Sequence
from pathlib import Path

from stetho.comparing.models.layers import Match
from stetho.comparing.models.sides import Sides
from stetho.comparing.models.trace import Site, Trace
from stetho.comparing.models.values import likeness
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


def given_matches(file: str | Path | None, one: Trace, other: Trace) -> list[tuple[str, str]] | None:
    """The pairs in a file; None where there is none to be read yet."""
    return read_matches(Path(file), one, other) if file is not None and Path(file).exists() else None


def check_matches(file: str | Path, given: Sequence[tuple[str, str]], sides: Sides) -> None:
    """Refuse pairs that cannot belong together, given what agrees where nobody has said anything.

    Two layers that differ and have no better partner are a difference of the models, not of the file.
    """
    ours, theirs = ({layer.name: layer.output for layer in trace.layers} for trace in (sides.one, sides.other))
    for first, second in given:
        names = first or WHOLE, second or WHOLE
        wrong = _why_not(names, sides.one.sites[ours[first]], sides.other.sites[theirs[second]], sides)
        if wrong:
            raise UsageError(f"{file}: `{' = '.join(names)}` is no match: {wrong}; change or remove the line")


def _why_not(names: tuple[str, str], a: Site, b: Site, sides: Sides) -> str:
    if a.value.size != b.value.size:
        shapes = ["×".join(map(str, each.value.shape)) or "one number" for each in (a, b)]
        return f"they give {shapes[0]} and {shapes[1]}"
    ours, theirs = sides.same.of_one.get(a.number), sides.same.of_other.get(b.number)
    if ours is None or theirs is None or likeness(a.value, b.value, sides.same.tolerance):
        return ""
    there, here = _called(sides.other, ours.other), _called(sides.one, theirs.one)
    return f"`{names[0]}` gives what {there} of the second gives, and `{names[1]}` what {here} of the first gives"


def _called(trace: Trace, number: int) -> str:
    """The layer that gives the values of a site; the operation, where no layer does."""
    names = [layer.name for layer in trace.layers if layer.output == number]
    return f"`{names[0] or WHOLE}`" if names else trace.sites[number].label


def _known(name: str, trace: Trace, place: str) -> str:
    names = [layer.name or WHOLE for layer in trace.layers]
    if name not in names:
        raise UsageError(f"{place}: {unknown_name('layer', name, names)} (of the {trace.name} model)")
    return "" if name == WHOLE else name
