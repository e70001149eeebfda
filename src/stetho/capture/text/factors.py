"""Numbers that a line multiplies by, or a schedule divides by: where they are written."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import FUNCTIONS, calls_at, is_at, own_nodes, place_of, read
from stetho.capture.text.values import ProgramText


@functools.lru_cache(maxsize=256)
def factor_at(line: str) -> str | None:
    """The line that writes the one number by which the statement at a line multiplies; None where there is none.

    >>> from pathlib import Path
    >>> _ = Path("factors.py").write_text("GAIN = 4.5\\nx = relu(GAIN * layer(x))\\n")
    >>> factor_at("factors.py:2")
    'factors.py:1'
    """
    file, tree, number = read(line)
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mult) and is_at(n, number)]
    return _one(ProgramText(tree, file), file, (side for node in nodes for side in (node.left, node.right)))


@functools.lru_cache(maxsize=64)
def divisor_at(line: str) -> str | None:
    """The line that writes the number of steps by which the function of a schedule made at a line divides.

    >>> from pathlib import Path
    >>> _ = Path("warm.py").write_text("WARM = 20000\\ns = LambdaLR(opt, lambda n: min(1.0, (n + 1) / WARM))\\n")
    >>> divisor_at("warm.py:2")
    'warm.py:1'
    """
    file, tree, number = read(line)
    given = [each for call in calls_at(tree, number) for each in (*call.args, *(k.value for k in call.keywords))]
    names = {each.id for each in given if isinstance(each, ast.Name)}
    bodies = [each for each in given if isinstance(each, ast.Lambda)]
    bodies += [n for n in ast.walk(tree) if isinstance(n, FUNCTIONS) and n.name in names]  # type: ignore[misc]
    return _one(ProgramText(tree, file), file, (side for body in bodies for side in _divisors(body)))


def _divisors(body: ast.AST) -> Iterator[ast.expr]:
    for node in own_nodes(body):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            yield node.right
            # `max(1, warmup)` keeps from dividing by nothing.
            yield from node.right.args if isinstance(node.right, ast.Call) else ()


def _one(text: ProgramText, file: str, values: Iterator[ast.expr]) -> str | None:
    named = [each for each in values if isinstance(each, ast.Name | ast.Attribute | ast.Subscript)]
    places = {place_of(made, file) for each in named if _is_number(made := text.written(each))}
    return places.pop() if len(places) == 1 else None


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool)
