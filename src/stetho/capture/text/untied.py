"""Where the weights of one layer are copied to another, so that they begin equal and are two."""

import ast
import functools

from stetho.capture.text.syntax import called_name, read

COPYING = ("clone", "detach", "data", "Parameter", "copy_", "copy", "deepcopy")


@functools.lru_cache(maxsize=64)
def untied_at(file: str, one: str, other: str) -> str | None:
    """The one line of a file that gives a copy of one layer's weights to another, by the last names of both.

    >>> from pathlib import Path
    >>> _ = Path("untied.py").write_text("self.head.weight = Parameter(self.words.weight.clone())\\n")
    >>> untied_at("untied.py", "words", "head"), untied_at("untied.py", "words", "body") is None
    ('untied.py:1', True)
    """
    _, tree, _ = read(f"{file}:1")
    wanted = {one.rpartition(".")[2], other.rpartition(".")[2]}
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.Assign | ast.Expr)]
    lines = {node.lineno for node in statements if _copies(node, wanted)}
    return f"{file}:{lines.pop()}" if len(lines) == 1 else None


def _copies(statement: ast.Assign | ast.Expr, wanted: set[str]) -> bool:
    """Whether both layers' weights are in a statement that makes a copy, one of them on each side."""
    match statement:
        case ast.Assign(targets=[target], value=value):
            sides = (target, value)
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="copy_" | "load_state_dict", value=target), args=[value])):
            sides = (target, value)
        case _:
            return False
    names = [{name for name in wanted if name in _names(side)} for side in sides]
    is_copy = isinstance(statement, ast.Expr) or any(
        called_name(part) in COPYING for part in ast.walk(sides[1]) if isinstance(part, ast.Call)
    )
    is_copy |= any(isinstance(part, ast.Attribute) and part.attr == "data" for side in sides for part in ast.walk(side))
    return is_copy and len(wanted) == 2 and sorted(map(len, names)) == [1, 1] and names[0] != names[1]


def _names(side: ast.expr) -> set[str]:
    """The names of layers whose weights are meant: `self.head.weight`, `head.weight.data`, `head.state_dict()`."""
    attributes = [part for part in ast.walk(side) if isinstance(part, ast.Attribute)]
    holders = [part.value for part in attributes if part.attr in ("weight", "state_dict")] or [side]
    return {each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in holders}
