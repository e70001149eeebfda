"""Where a program writes how slowly an average of weights follows them."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import syntax_of

OTHERS = ("weight", "lr", "rate", "learning", "gamma", "epsilon", "eps", "l2", "wd")
"""What also decays, and is no average."""


@functools.lru_cache(maxsize=64)
def decay_at(file: str) -> str | None:
    """The one line of a file that gives a number just below 1 to what it calls a decay, or an average; else a default.

    >>> from pathlib import Path
    >>> _ = Path("averaged.py").write_text("decay = 1e-4\\nema = EMA(model, decay=0.9999)\\n")
    >>> decay_at("averaged.py")
    'averaged.py:2'
    """
    tree = syntax_of(file)
    if tree is None:
        return None
    given, defaults = _slow(_named(tree)), _slow(_defaults(tree))
    lines = given or defaults
    return f"{file}:{lines.pop()}" if len(lines) == 1 else None


def _named(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Values with the names that they are given: as an argument, a variable, a field of a class."""
    for node in ast.walk(tree):
        match node:
            case ast.keyword(arg=str(name), value=value):
                yield name, value
            case ast.Assign(targets=[ast.Name(id=name) | ast.Attribute(attr=name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[_, ast.Constant() as value]):
                yield name, value


def _defaults(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.arguments) and node.defaults:
            names = [each.arg for each in node.args[-len(node.defaults) :]]
            yield from zip(names, node.defaults, strict=False)


def _slow(named: Iterator[tuple[str, ast.expr]]) -> set[int]:
    return {value.lineno for name, value in named if _is_decay(name) and _is_below_one(value)}


def _is_below_one(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, float) and 0.9 < value.value < 1


def _is_decay(name: str) -> bool:
    words = name.lower().split("_")
    return not set(words) & set(OTHERS) and bool({"decay", "ema", "averaged", "average"} & set(words))
