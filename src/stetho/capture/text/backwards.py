"""Returns that a program sums up from the last reward to the first, and leaves in that order."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import called_name, read

TURNING = ("reverse", "flip", "flipud", "appendleft", "reversed")


@functools.lru_cache(maxsize=64)
def left_backwards_at(file: str) -> str | None:
    """The line that appends a running sum in a loop over reversed rewards, if nothing in the file turns a list round.

    >>> from pathlib import Path
    >>> program = "for r in reversed(rewards):\\n    total = r + 0.9 * total\\n    out.append(total)\\n"
    >>> _ = Path("left.py").write_text(program)
    >>> _ = Path("turned.py").write_text(program + "out.reverse()\\n")
    >>> left_backwards_at("left.py"), left_backwards_at("turned.py") is None
    ('left.py:3', True)
    """
    _, tree, _ = read(f"{file}:1")
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.For) and _is_turned(node.iter)]
    inside = {id(part) for loop in loops for part in ast.walk(loop.iter)}
    if any(_turns_round(node) for node in ast.walk(tree) if id(node) not in inside):
        return None
    lines = {line for loop in loops for line in _appended(loop)}
    return f"{file}:{lines.pop()}" if len(lines) == 1 else None


def _is_turned(value: ast.expr) -> bool:
    """Whether a loop goes over one thing from its end: `reversed(rewards)`, `rewards[::-1]`."""
    return (isinstance(value, ast.Call) and called_name(value) == "reversed") or _is_turned_slice(value)


def _is_turned_slice(node: ast.AST) -> bool:
    match node:
        case ast.Subscript(slice=ast.Slice(step=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)))):
            return True
    return False


def _turns_round(node: ast.AST) -> bool:
    """Whether a node may bring a list back into its order, or puts things in at its front."""
    if isinstance(node, ast.Call) and called_name(node) == "insert" and node.args:
        return isinstance(node.args[0], ast.Constant) and node.args[0].value == 0
    if isinstance(node, ast.Call) and called_name(node) in TURNING:
        return True
    # Something new before what there is: `returns = [total] + returns`.
    is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and isinstance(node.left, ast.List)
    return is_sum or _is_turned_slice(node)


def _appended(loop: ast.For) -> Iterator[int]:
    """Where a loop appends a sum that each round multiplies and adds to."""
    running = {
        target.id
        for node in ast.walk(loop)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and _goes_on(node.value, target.id)
    }
    for node in ast.walk(loop):
        if isinstance(node, ast.Call) and called_name(node) == "append" and len(node.args) == 1:
            first = node.args[0]
            if isinstance(first, ast.Name) and first.id in running:
                yield node.lineno


def _goes_on(value: ast.expr, name: str) -> bool:
    """Whether a value is a sum in which what it was before is multiplied with something."""
    products = [part for part in ast.walk(value) if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult)]
    is_sum = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add)
    return is_sum and any(
        isinstance(part, ast.Name) and part.id == name for each in products for part in ast.walk(each)
    )
