"""Where a generator of the program puts the rows of its batches in order: `for x, y in batches(data, 32)`."""

import ast

from stetho.capture.text.assignments import assignment
from stetho.capture.text.rows import gives_order
from stetho.capture.text.syntax import FUNCTIONS, called_name, loops_around, own_nodes

MOST_NAMES = 32


def batched_at(tree: ast.Module, name: str, number: int) -> int | None:
    """The line of the order in which the generator behind a loop's variable takes its rows; None where none is plain.

    >>> program = "def parts(x):\\n    order = argsort(x)\\n    for i in order.split(3):\\n        yield x[i]\\n"
    >>> batched_at(ast.parse(program + "for part in parts(x):\\n    model(part)\\n"), "part", 6)
    2
    """
    for loop in loops_around(tree, number):
        names = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
        calls = {called_name(node) for node in ast.walk(loop.iter) if isinstance(node, ast.Call)}
        makers = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS) and node.name in calls]
        if name in names and len(makers) == 1:
            yields = [node for node in own_nodes(makers[0]) if isinstance(node, ast.Yield) and node.value is not None]
            return (_order(tree, yields[0]) or _slice(tree, yields[0])) if len(yields) == 1 else None
    return None


def _slice(tree: ast.Module, made: ast.Yield) -> int | None:
    """Of parts from here to there: the loop that moves on says in which order; without one, all are the same."""
    taken = [node.slice for node in ast.walk(made) if isinstance(node, ast.Subscript)]
    slices = [each for each in taken if isinstance(each, ast.Slice)]
    loop = next(iter(loops_around(tree, made.lineno)), None)
    if not slices or loop is None:
        return None
    moved = set().union(*(_names(each) for each in slices))
    # What is counted up in the loop moves on as well.
    moving = {name for n in own_nodes(loop) if isinstance(n, ast.AugAssign | ast.Assign) for name in _names(n)}
    return loop.lineno if moved & (_names(loop.target) | moving) else made.lineno


def _order(tree: ast.Module, made: ast.Yield) -> int | None:
    """The assignment that puts rows in order, behind the index that they are taken by."""
    taken = [node.slice for node in ast.walk(made) if isinstance(node, ast.Subscript)]
    number, waiting = made.lineno, sorted({name for index in taken for name in _names(index)})
    # The list grows by what each name is made of.
    for name in waiting:
        found = assignment(tree, name, number)
        loop = next((each for each in loops_around(tree, number) if name in _names(each.target)), None)
        value = found.value if found is not None else loop.iter if loop is not None else None
        if value is not None and (gives_order(value) or (found is not None and _counts(value))):
            return value.lineno
        if value is not None and len(waiting) < MOST_NAMES:
            waiting += sorted(_names(value) - set(waiting))
    return None


def _counts(value: ast.expr) -> bool:
    """Whether a variable holds all rows as they come: `arange(len(x))`."""
    return isinstance(value, ast.Call) and called_name(value) == "arange"


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
