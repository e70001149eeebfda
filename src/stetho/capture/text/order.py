"""Where the order in which a loop takes its samples is made, and where the loop ends before all were taken."""

import ast
import functools

from stetho.capture.text.batched import batched_at
from stetho.capture.text.syntax import FUNCTIONS, called_name, calls_at, loops_around, own_nodes, read
from stetho.capture.text.values import ProgramText

LISTING = ("append", "extend")


@functools.lru_cache(maxsize=1024)
def order_made_at(line: str) -> str | None:
    """Of a model that is called at a line with rows of an array: the line that puts these rows in order.

    >>> from pathlib import Path
    >>> program = "order = arange(9)\\nfor i in range(3):\\n    rows = order[i : i + 3]\\n    model(x[rows])\\n"
    >>> _ = Path("ordered.py").write_text(program)
    >>> order_made_at("ordered.py:4"), order_made_at("gone.py:4") is None
    ('ordered.py:1', True)
    """
    file, tree, number = read(line)
    text = ProgramText(tree)
    for call in calls_at(tree, number):
        taken = text.written(call.args[0]) if call.args else None
        if isinstance(taken, ast.Subscript):
            made = _order(text, tree, taken)
            return f"{file}:{made}" if made is not None else None
        yielded = batched_at(tree, taken.id, number) if isinstance(taken, ast.Name) else None
        if yielded is not None:
            return f"{file}:{yielded}"
    return None


def _order(text: ProgramText, tree: ast.Module, taken: ast.Subscript) -> int | None:
    rows = text.written(taken.slice)
    if isinstance(rows, ast.Subscript):
        rows = text.written(rows.value)
    if isinstance(rows, ast.Slice):
        # A part from here to there: the loop that moves on says in which order.
        return next((loop.lineno for loop in loops_around(tree, taken.lineno)), None)
    if rows is taken.slice:
        return _listed(text, tree, rows)
    return rows.lineno


def _listed(text: ProgramText, tree: ast.Module, rows: ast.expr) -> int | None:
    """Of a loop over lists of rows: the line of a function of the program that puts such a list among the others."""
    loop = next((each for each in loops_around(tree, rows.lineno) if _is_same(each.target, rows)), None)
    made = text.written(loop.iter) if loop is not None else None
    name = called_name(made) if isinstance(made, ast.Call) else None
    makers = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS) and node.name == name]
    nodes = list(own_nodes(makers[0])) if len(makers) == 1 else []
    returned = [node.value for node in nodes if isinstance(node, ast.Return) and node.value is not None]
    listed = [node for node in nodes if isinstance(node, ast.Yield)] + [
        node
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LISTING
        if any(_is_same(node.func.value, each) for each in returned)
    ]
    return listed[0].lineno if len(listed) == 1 else None


def _is_same(one: ast.expr, other: ast.expr) -> bool:
    return isinstance(one, ast.Name) and isinstance(other, ast.Name) and one.id == other.id


@functools.lru_cache(maxsize=64)
def rounds_written_at(line: str) -> str | None:
    """Where it is written how often the outermost loop around a line goes round.

    >>> from pathlib import Path
    >>> _ = Path("rounds.py").write_text("EPOCHS = 3\\nfor epoch in range(EPOCHS):\\n    optimizer.step()\\n")
    >>> rounds_written_at("rounds.py:3"), rounds_written_at("rounds.py:1") is None
    ('rounds.py:1', True)
    """
    file, tree, number = read(line)
    outermost = next(iter(loops_around(tree, number)[::-1]), None)
    if outermost is None or not isinstance(outermost.iter, ast.Call) or called_name(outermost.iter) != "range":
        return None
    last = outermost.iter.args[min(len(outermost.iter.args), 2) - 1]
    return f"{file}:{ProgramText(tree).written(last).lineno}"


@functools.lru_cache(maxsize=1024)
def left_at(line: str) -> str | None:
    """The one line that leaves the loop which begins at a line before it is over.

    >>> from pathlib import Path
    >>> _ = Path("leftover.py").write_text("for x in loader:\\n    model(x)\\n    break\\n")
    >>> left_at("leftover.py:1"), left_at("leftover.py:2") is None
    ('leftover.py:3', True)
    """
    file, tree, number = read(line)
    loop = next((n for n in ast.walk(tree) if isinstance(n, ast.For) and n.lineno == number), None)
    leaving = _leaving(loop.body) if loop is not None else []
    return f"{file}:{leaving[0]}" if len(leaving) == 1 else None


def _leaving(body: list[ast.stmt], inner: bool = False) -> list[int]:
    """The lines that leave a loop; a `break` of a loop inside of it does not."""
    found = []
    for statement in body:
        if isinstance(statement, ast.Return) or (isinstance(statement, ast.Break) and not inner):
            found.append(statement.lineno)
        is_loop = isinstance(statement, ast.For | ast.While)
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef):
            for name in ("body", "orelse", "handlers", "finalbody"):
                parts = [part for part in getattr(statement, name, ()) if isinstance(part, ast.stmt)]
                found += _leaving(parts, inner or is_loop)
    return found
