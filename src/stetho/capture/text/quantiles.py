"""Losses of quantiles, as a program writes them down: which side of its difference must be the target."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.assignments import assignment
from stetho.capture.text.syntax import called_name, read

Factor = tuple[int, int]
"""What a difference is multiplied with, as a number plus so many times the quantile."""
TARGET_FIRST = {(0, 1), (-1, 1)}
TARGET_LAST = {(1, -1), (0, -1)}
CHOOSING = ("max", "maximum", "where")


@functools.lru_cache(maxsize=64)
def quantile_at(line: str) -> dict[str, object] | None:
    """The loss of a quantile in the file of a line: where its difference is made, and whether the target comes first.

    >>> from pathlib import Path
    >>> _ = Path("quantiles.py").write_text("e = y - f\\nloss = torch.max(q * e, (q - 1) * e).mean()\\n")
    >>> quantile_at("quantiles.py:2"), quantile_at("gone.py:2")
    ({'line': 'quantiles.py:1', 'target_first': True}, None)
    """
    file, tree, _ = read(line)
    found = [each for node in ast.walk(tree) if isinstance(node, ast.expr) for each in _losses(node)]
    if not found or len({is_first for _, is_first in found}) > 1:
        return None
    difference, is_first = found[0]
    made = assignment(tree, difference.id, difference.lineno) if isinstance(difference, ast.Name) else None
    return {"line": f"{file}:{(made or difference).lineno}", "target_first": is_first}


def _losses(node: ast.expr) -> Iterator[tuple[ast.expr, bool]]:
    """The difference in an expression that is the loss of a quantile, and which side its formula wants first."""
    if isinstance(node, ast.Call) and called_name(node) in CHOOSING and len(node.args) >= 2:
        products = [found for part in node.args[-2:] if (found := _product(part)) is not None]
        same = {(ast.dump(difference), quantile) for difference, quantile, _ in products}
        factors = {factor for _, _, factor in products}
        if len(products) == 2 and len(same) == 1 and factors in (TARGET_FIRST, TARGET_LAST):
            yield products[0][0], factors == TARGET_FIRST
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Sub) and _is_below_zero(one.right, other):
                yield other, True


def _product(node: ast.expr) -> tuple[ast.expr, str, Factor] | None:
    """A difference times a factor that has a quantile in it: the difference, the quantile, the factor."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _product(node.operand)
        return None if inner is None else (inner[0], inner[1], (-inner[2][0], -inner[2][1]))
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)):
        return None
    quantile, factor = _factor(node.left)
    return node.right, quantile, factor


def _factor(node: ast.expr) -> tuple[str, Factor]:
    """The quantile in a factor, and what the factor makes of it."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        quantile, (number, times) = _factor(node.operand)
        return quantile, (-number, -times)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        if _is_one(node.right):
            return ast.dump(node.left), (-1, 1)
        if _is_one(node.left):
            return ast.dump(node.right), (1, -1)
    return ast.dump(node), (0, 1)


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def _is_below_zero(node: ast.expr, difference: ast.expr) -> bool:
    """Whether an expression is 1 where the difference is below 0, and 0 elsewhere."""
    tests = [part for part in ast.walk(node) if isinstance(part, ast.Compare)]
    return (
        len(tests) == 1
        and isinstance(tests[0].ops[0], ast.Lt | ast.LtE)
        and ast.dump(tests[0].left) == ast.dump(difference)
        and isinstance(tests[0].comparators[0], ast.Constant)
        and tests[0].comparators[0].value == 0
    )
