"""Where the negative of a triplet, or of a pair, is drawn from what its positive is drawn from."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import FUNCTIONS, called_name, own_nodes, read

DRAWING = frozenset(("choice", "choices", "sample"))
ALIKE, UNLIKE = ("pos",), ("neg",)


@functools.lru_cache(maxsize=64)
def drawn_alike_at(file: str) -> str | None:
    """The line that draws a negative, where it is the same group that a positive is drawn from.

    A group is a part of something, as `by_class[label]`: of all samples both may be drawn, and be tried again.

    >>> from pathlib import Path
    >>> program = "def pair(y):\\n    pos = choice(groups[y])\\n    neg = choice(groups[y])\\n    return pos, neg\\n"
    >>> _ = Path("alike.py").write_text(program)
    >>> _ = Path("unlike.py").write_text(program.replace("neg = choice(groups[y])", "neg = choice(groups[other(y)])"))
    >>> drawn_alike_at("alike.py"), drawn_alike_at("unlike.py") is None
    ('alike.py:3', True)
    """
    _, tree, _ = read(f"{file}:1")
    lines = [line for node in ast.walk(tree) if isinstance(node, FUNCTIONS) for line in _alike(node)]
    return f"{file}:{min(lines)}" if lines else None


def _alike(function: ast.AST) -> Iterator[int]:
    drawn: dict[str, list[ast.Assign]] = {}
    changed: list[str] = []
    for node in own_nodes(function):
        names = [each.id for each in getattr(node, "targets", ()) if isinstance(each, ast.Name)]
        changed += names
        if isinstance(node, ast.Assign) and names:
            drawn.setdefault(names[0], []).append(node)
    once = {name: made[0] for name, made in drawn.items() if changed.count(name) == 1}
    groups = {_group(made.value) for name, made in once.items() if name.lower().startswith(ALIKE)}
    for name, made in once.items():
        group = _group(made.value)
        if name.lower().startswith(UNLIKE) and group is not None and group in groups:
            yield made.lineno


def _group(value: ast.expr) -> str | None:
    """What something is drawn from, where that is a part of something by a name that may change."""
    for node in ast.walk(value):
        if isinstance(node, ast.Call) and called_name(node) in DRAWING and node.args:
            group = node.args[0]
            if isinstance(group, ast.Subscript) and not isinstance(group.slice, ast.Constant | ast.Slice):
                return ast.unparse(group)
    return None
