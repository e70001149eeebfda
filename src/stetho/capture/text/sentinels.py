"""Where a program writes a number that stands for "missing", such as -9999, into its data."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import FUNCTIONS, called_name, read

FAR_OUT = 99
FILLING = ("fillna", "nan_to_num", "masked_fill", "masked_fill_", "where", "filled", "replace", "SimpleImputer",
           "full_like", "put", "putmask", "copyto")  # fmt: skip


@functools.lru_cache(maxsize=64)
def sentinel_at(file: str) -> str | None:
    """The first line of a file that fills such a number in; None where there is none, or several are different.

    >>> from pathlib import Path
    >>> _ = Path("gaps.py").write_text("table = load()\\ntable[np.isnan(table)] = -9999.0\\n")
    >>> sentinel_at("gaps.py"), sentinel_at("gone.py") is None
    ('gaps.py:2', True)
    """
    _, tree, _ = read(f"{file}:1")
    named = dict(_named_numbers(tree))
    lines = dict(sorted(_filled(tree, named), key=lambda each: -each[1]))
    return f"{file}:{min(lines.values())}" if len(lines) == 1 else None


def _filled(scope: ast.AST, named: dict[str, float]) -> Iterator[tuple[float, int]]:
    """Far-out numbers that are written into something that exists, with their lines."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, FUNCTIONS) and node.name == "forward":
            # The mask of an attention has its place in a model, not in the data.
            continue
        values: list[ast.expr] = []
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            values = [node.value]
        elif isinstance(node, ast.Call) and called_name(node) in FILLING:
            values = [*node.args, *(each.value for each in node.keywords)]
        for value in values:
            number = _number(value, named)
            if number is not None and abs(number) >= FAR_OUT:
                yield number, node.lineno  # type: ignore[attr-defined]  # an assignment or a call
        yield from _filled(node, named)


def _named_numbers(tree: ast.Module) -> Iterator[tuple[str, float]]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            number = _number(node.value, {})
            if number is not None:
                yield node.targets[0].id, number


def _number(value: ast.expr, named: dict[str, float]) -> float | None:
    match value:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -float(number)
        case ast.Name(id=name):
            return named.get(name)
    return None
