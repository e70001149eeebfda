"""Lines that say that parameters need no gradient."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import read


@functools.lru_cache(maxsize=1024)
def frozen_at(files: tuple[str, ...], parameter: str) -> str | None:
    """The line in these files that freezes a parameter: the only one that freezes any, or that names its layer.

    >>> from pathlib import Path
    >>> _ = Path("frozen.py").write_text("for weight in net.body.parameters():\\n    weight.requires_grad = False\\n")
    >>> frozen_at(("frozen.py",), "body.0.weight"), frozen_at(("gone.py",), "body.0.weight")
    ('frozen.py:2', None)
    """
    found = [(f"{file}:{line}", named) for file in files for line, named in _freezing(read(f"{file}:0")[1])]
    fitting = [line for line, named in found if named & set(parameter.split("."))]
    chosen = fitting or [line for line, _ in found]
    return chosen[0] if len(chosen) == 1 else None


def _freezing(tree: ast.Module, around: frozenset[str] = frozenset()) -> Iterator[tuple[int, frozenset[str]]]:
    """The lines that freeze, with the names of what they and the loops around them are about."""
    for node in ast.iter_child_nodes(tree):
        names = around | _names(node.iter) if isinstance(node, ast.For) else around
        if isinstance(node, ast.stmt) and not hasattr(node, "body") and _freezes(node):
            yield node.lineno, names | _names(node)
        yield from _freezing(node, names)  # type: ignore[arg-type]  # any node has children


def _freezes(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Attribute(attr="requires_grad")], value=value):
            return not (isinstance(value, ast.Constant) and value.value is True)
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="requires_grad_"), args=[ast.Constant(value=False)])):
            return True
    return False


def _names(node: ast.AST) -> frozenset[str]:
    parts = list(ast.walk(node))
    attributes = {part.attr for part in parts if isinstance(part, ast.Attribute)}
    return frozenset(attributes | {part.id for part in parts if isinstance(part, ast.Name)})
