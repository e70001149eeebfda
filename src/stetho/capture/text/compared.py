"""Where predictions and targets meet in a formula of the program, or who hands them to it: `loss = mse(pred, y)`."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import Function, called_name, function_around, own_nodes, read, roots_of

LIBRARIES = frozenset(("torch", "F", "self", "math", "np", "nn"))
SHAPING = frozenset(("view", "view_as", "reshape", "reshape_as", "flatten", "ravel", "squeeze", "unsqueeze", "expand",
                     "expand_as", "permute", "transpose", "t", "movedim", "stack", "cat"))  # fmt: skip


@functools.lru_cache(maxsize=256)
def compared_at(returned: str, backward: str) -> str | None:
    """The last call, before a line, of the function that returns at another, if that only computes with what it gets.

    What such a function is given does not fit by the fault of its caller. One that brings its arguments into a shape
    has the fault itself, at the line where two of them first meet.

    >>> from pathlib import Path
    >>> program = "def mse(p, y):\\n    return ((p - y) ** 2).mean()\\nloss = mse(net(x), y)\\nloss.backward()\\n"
    >>> _ = Path("compared.py").write_text(program)
    >>> compared_at("compared.py:2", "compared.py:4"), compared_at("compared.py:3", "compared.py:4") is None
    ('compared.py:3', True)
    """
    file, tree, number = read(returned)
    formula = function_around(tree, number)
    if formula is None or not _is_formula(formula):
        return None
    if backward.rpartition(":")[0] == file and not _shapes(formula):
        before = read(backward)[2]
        scope = function_around(tree, before) or tree
        calls = [node for node in own_nodes(scope) if isinstance(node, ast.Call) and called_name(node) == formula.name]
        lines = [call.lineno for call in calls if call.lineno <= before]
        if lines:
            return f"{file}:{max(lines)}"
    met = min((line for line in _meetings(formula) if line <= number), default=None)
    return f"{file}:{met}" if met is not None else None


def _parameters(formula: Function) -> set[str]:
    return {each.arg for each in (*formula.args.args, *formula.args.kwonlyargs)} - {"self"}


def _is_formula(function: Function) -> bool:
    """Whether it goes straight from its arguments to what it returns, and calls none of them, as it would a model."""
    body = [each for each in function.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
    known = _parameters(function) | LIBRARIES
    for statement in body[:-1]:
        if not isinstance(statement, ast.Assign) or not all(isinstance(each, ast.Name) for each in statement.targets):
            return False
        known |= roots_of(*statement.targets)
    called = {
        node.func.id for node in own_nodes(function) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    return bool(body) and isinstance(body[-1], ast.Return) and roots_of(*body) <= known and not called


def _shapes(formula: Function) -> bool:
    return any(
        isinstance(node, ast.Subscript) or (isinstance(node, ast.Call) and called_name(node) in SHAPING)
        for node in own_nodes(formula)
    )


def _meetings(formula: Function) -> Iterator[int]:
    """Lines that compute with two of its arguments."""
    parameters = _parameters(formula)
    for node in own_nodes(formula):
        if isinstance(node, ast.BinOp):
            left, right = (roots_of(side) & parameters for side in (node.left, node.right))
            if left and right and left != right:
                yield node.lineno
