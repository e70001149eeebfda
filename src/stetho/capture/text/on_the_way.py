"""What the program's text does to data on their way to a line: the last thing of some kind that is done to them."""

import ast
from collections.abc import Callable

from stetho.capture.text.assignments import assignment
from stetho.capture.text.syntax import FUNCTIONS, called_name, is_at, own_nodes, read, roots_of

MOST_HOPS = 6
Question = Callable[[ast.expr], bool]


def first_up_to(line: str, is_it: Question) -> str | None:
    """The last line before one that makes something, or that line itself, where an expression is of some kind.

    A function of the same file that is called there is looked into. None where nothing of that kind is written.

    >>> from pathlib import Path
    >>> _ = Path("way.py").write_text("table = table % 7\\nx = torch.tensor(table)\\n")
    >>> first_up_to("way.py:2", lambda node: isinstance(node, ast.BinOp))
    'way.py:1'
    """
    file, tree, number = read(line)
    return _first(file, tree, _statement(tree, number), is_it)


def first_in_what_is_given(line: str, is_it: Question) -> str | None:
    """The same for the line of a call: in what it is given, and on the way to that."""
    file, tree, number = read(line)
    calls = [call for each in _statement(tree, number) for call in ast.walk(each) if isinstance(call, ast.Call)]
    given = [argument for call in calls if not _is_of_library(call.func) for argument in call.args]
    return _first(file, tree, [ast.copy_location(ast.Expr(argument), argument) for argument in given], is_it)


def _statement(tree: ast.Module, number: int) -> list[ast.stmt]:
    simple = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and not hasattr(n, "body") and is_at(n, number)]
    return simple[:1]


def _is_of_library(called: ast.expr) -> bool:
    """Whether it is a function of torch's or a method of a tensor's, and not a model: `F.mse_loss`, `(a - b).pow`."""
    if not isinstance(called, ast.Attribute):
        return not isinstance(called, ast.Name)
    return not isinstance(called.value, ast.Name) or called.value.id != "self"


def _first(file: str, tree: ast.Module, waiting: list[ast.stmt], is_it: Question) -> str | None:
    for _ in range(MOST_HOPS):
        found = next((each for statement in waiting if (each := _within(tree, statement, is_it)) is not None), None)
        if found is not None:
            return f"{file}:{found}"
        before = [assignment(tree, name, each.lineno) for each in waiting for name in sorted(roots_of(each))]
        waiting = [each for each in dict.fromkeys(before) if each is not None]
    return None


def _within(tree: ast.Module, statement: ast.stmt, is_it: Question) -> int | None:
    """The line of such an expression in a statement, or the only one in the functions that it calls."""
    own = [node.lineno for node in ast.walk(statement) if isinstance(node, ast.expr) and is_it(node)]
    if own:
        return own[0]
    called = {called_name(node) for node in ast.walk(statement) if isinstance(node, ast.Call)}
    functions = [node for node in tree.body if isinstance(node, FUNCTIONS) and node.name in called]
    inside = [node for each in functions for node in own_nodes(each)]
    lines = {node.lineno for node in inside if isinstance(node, ast.expr) and is_it(node)}
    return lines.pop() if len(lines) == 1 else None
