"""Loops that may end before the rounds that they plan: how many these are, and what decides about the end."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import called_name, loops_around, read
from stetho.capture.text.values import ProgramText


@functools.lru_cache(maxsize=64)
def broken_off_at(line: str) -> dict[int, str]:
    """The rounds that the outermost loop around a line plans, with the line that decides whether it is left before.

    Where a counter decides, that is the comparison which makes it count.

    >>> from pathlib import Path
    >>> program = "for e in range(90):\\n  step()\\n  if v > best:\\n    bad += 1\\n  if bad > 3:\\n    break\\n"
    >>> _ = Path("patience.py").write_text(program)
    >>> broken_off_at("patience.py:2"), broken_off_at("gone.py:2")
    ({90: 'patience.py:3'}, {})
    """
    file, tree, number = read(line)
    outermost = next(iter(loops_around(tree, number)[::-1]), None)
    planned = _planned(outermost, ProgramText(tree)) if outermost is not None else None
    guards = [each for each in outermost.body if isinstance(each, ast.If) and _leaves(each)] if outermost else []
    if outermost is None or planned is None or len(guards) != 1:
        return {}
    asked = {node.id for node in ast.walk(guards[0].test) if isinstance(node, ast.Name)}
    counting = [
        node.lineno
        for node in outermost.body
        if isinstance(node, ast.If) and node is not guards[0] and asked & set(_counted(node))
    ]
    return {planned: f"{file}:{min(counting, default=guards[0].lineno)}"}


def _planned(loop: ast.For, text: ProgramText) -> int | None:
    if not isinstance(loop.iter, ast.Call) or called_name(loop.iter) != "range" or len(loop.iter.args) > 2:
        return None
    ends = [text.written(each) for each in loop.iter.args]
    values = [end.value for end in ends if isinstance(end, ast.Constant) and isinstance(end.value, int)]
    return values[-1] - (values[0] if len(values) == 2 else 0) if values and len(values) == len(ends) else None


def _leaves(statement: ast.stmt) -> bool:
    """Whether a statement may leave the loop that it stands in."""
    if isinstance(statement, ast.Break):
        return True
    if isinstance(statement, ast.For | ast.While | ast.FunctionDef | ast.ClassDef):
        return False
    return any(_leaves(node) for node in ast.iter_child_nodes(statement) if isinstance(node, ast.stmt))


def _counted(condition: ast.If) -> Iterator[str]:
    """Names that are counted on under a condition."""
    for node in ast.walk(condition):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            yield node.target.id
