"""Where the size of batches is written that a loop takes from arrays: `split(32)`, `range(0, n, 32)`."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.assignments import assignment
from stetho.capture.text.syntax import called_name, is_at, loops_around, own_nodes, place_of, read, roots_of
from stetho.capture.text.values import ProgramText


@functools.lru_cache(maxsize=64)
def batch_written_at(line: str) -> str | None:
    """The one line that writes how many rows the loop around a call of a model takes for it; None where none is plain.

    >>> from pathlib import Path
    >>> _ = Path("sliced.py").write_text("SIZE = 32\\nfor rows in randperm(900).split(SIZE):\\n    model(x[rows])\\n")
    >>> batch_written_at("sliced.py:3"), batch_written_at("sliced.py:1") is None
    ('sliced.py:1', True)
    """
    file, tree, number = read(line)
    text = ProgramText(tree, file)
    for loop in loops_around(tree, number):
        statements = [n for n in own_nodes(loop) if isinstance(n, ast.stmt) and is_at(n, number)]
        used = roots_of(*statements)
        # A variable in between may take the rows of the loop's: `rows = order[i : i + SIZE]`.
        made = [found for name in sorted(used) if (found := assignment(tree, name, number)) is not None]
        used |= roots_of(*(each.value for each in made if is_at(loop, each.lineno)))
        lines = {place_of(text.written(size), file) for size in _sizes(loop)} if used & roots_of(loop.target) else set()
        if lines:
            return lines.pop() if len(lines) == 1 else None
    return None


def _sizes(loop: ast.For) -> Iterator[ast.expr]:
    """What a loop goes on by."""
    for node in ast.walk(loop.iter):
        match node:
            case ast.Call(args=[size]) if called_name(node) == "split":
                yield size
            case ast.Call(args=[_, size]) if called_name(node) == "split":
                yield size
            case ast.Call(args=[_, _, size]) if called_name(node) == "range":
                yield size
