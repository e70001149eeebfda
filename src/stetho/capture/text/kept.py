"""Where a program keeps the loss of each step with its graph: in a list, a sum, a table."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import called_name, calls_at, function_around, own_nodes, read

KEEPING = ("append", "appendleft", "add", "put", "insert", "setdefault")
LETTING_GO = frozenset(("item", "detach", "float", "int", "str", "tolist", "numpy", "print", "format", "backward",
                        "isfinite", "isnan", "round", "grad"))  # fmt: skip
"""What gives back something without a graph."""


@functools.lru_cache(maxsize=256)
def kept_at(line: str) -> str | None:
    """The first line that keeps the loss which goes backward at a line, together with its graph; None where none does.

    >>> from pathlib import Path
    >>> program = "for x in data:\\n    loss = model(x)\\n    loss.backward()\\n    history.append(loss)\\n"
    >>> _ = Path("kept.py").write_text(program)
    >>> kept_at("kept.py:3"), kept_at("gone.py:3") is None
    ('kept.py:4', True)
    """
    file, tree, number = read(line)
    names = {node.id for call in calls_at(tree, number) if called_name(call) == "backward" for node in _names(call)}
    function = function_around(tree, number)
    lines = set(_keeping(function or tree, names))
    if not lines and function is not None and _gives_back(function, names):
        lines = set(_by_callers(tree, function.name))
    return f"{file}:{min(lines)}" if lines else None


def _names(call: ast.Call) -> Iterator[ast.Name]:
    """The variables that go backward: `loss`, `(loss / 4)`, `scaler.scale(loss)`."""
    return (node for node in ast.walk(call) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))


def _keeping(scope: ast.AST, names: set[str], callee: str = "") -> Iterator[int]:
    for node in own_nodes(scope):
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=attr), args=args)) if attr in KEEPING:
                held = args
            case ast.AugAssign(target=target, value=value) if getattr(target, "id", None) not in names:
                held = [value]
            case ast.Assign(targets=[ast.Subscript() | ast.Attribute()], value=value):
                held = [value]
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp() as value) if name not in names:
                held = [value] if name in {part.id for part in ast.walk(value) if isinstance(part, ast.Name)} else []
            case _:
                continue
        if any(_carries(each, names, callee) for each in held):
            yield node.lineno


def _by_callers(tree: ast.Module, callee: str) -> Iterator[int]:
    """Lines that keep what a function gives back, at once or under a name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called_name(node) == callee:
            scope = function_around(tree, node.lineno) or tree
            given = [each for each in own_nodes(scope) if isinstance(each, ast.Assign) and each.value is node]
            names = {
                part.id
                for each in given
                for target in each.targets[:1]
                for part in [target]
                if isinstance(part, ast.Name)
            }
            yield from _keeping(scope, names, callee)


def _gives_back(function: ast.AST, names: set[str]) -> bool:
    returns = [node.value for node in own_nodes(function) if isinstance(node, ast.Return) and node.value is not None]
    return any(_carries(value, names, "") for value in returns)


def _carries(node: ast.expr, names: set[str], callee: str) -> bool:
    """Whether the graph of what is called by one of these names, or of what a function gives, is in an expression."""
    match node:
        case ast.Name(id=name):
            return name in names
        case ast.Call() if called_name(node) in LETTING_GO:
            return False
        case ast.Call(func=ast.Attribute(value=inner), args=args):
            return called_name(node) == callee or any(_carries(each, names, callee) for each in (inner, *args))
        case ast.Call(args=args):
            return called_name(node) == callee or any(_carries(each, names, callee) for each in args)
        case ast.Attribute() | ast.Subscript():
            return False
    return any(_carries(each, names, callee) for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr))
