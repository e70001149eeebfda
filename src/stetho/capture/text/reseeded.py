"""Random numbers that are seeded anew, with one and the same number, for each batch of a training loop."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import FUNCTIONS, calls_at, own_nodes, read, roots_of

SEEDING = frozenset(("default_rng", "manual_seed", "seed", "RandomState", "Random"))


@functools.lru_cache(maxsize=1024)
def reseeded_at(line: str) -> str | None:
    """The line that seeds what a model is given at a line, by a function that is called for each batch.

    >>> reseeded_at("no such file.py:3") is None
    True
    """
    file, tree, number = read(line)
    loop = _loop_around(tree, number)
    if loop is None:
        return None
    calls = [node for statement in _feeding(loop, number) for node in ast.walk(statement) if isinstance(node, ast.Call)]
    names = {call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "") for call in calls}
    for function in ast.walk(tree):
        if isinstance(function, FUNCTIONS) and function.name in names - {"forward", "__call__"}:
            found = _seeds(function)
            if found is not None:
                return f"{file}:{found}"
    return None


@functools.lru_cache(maxsize=64)
def worker_seeded_at(line: str) -> str | None:
    """The line that seeds every worker of the loader which is made at a line with one and the same number.

    >>> from pathlib import Path
    >>> program = "def same(worker):\\n    seed(7)\\nloader = DataLoader(data, worker_init_fn=same)\\n"
    >>> _ = Path("workers.py").write_text(program)
    >>> worker_seeded_at("workers.py:3"), worker_seeded_at("workers.py:1") is None
    ('workers.py:2', True)
    """
    file, tree, number = read(line)
    given = [each.value for call in calls_at(tree, number) for each in call.keywords if each.arg == "worker_init_fn"]
    names = {getattr(value, "id", None) for value in given}
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS) and node.name in names]
    found = _seeds(functions[0]) if len(functions) == 1 else None
    return f"{file}:{found}" if found is not None else None


def _loop_around(tree: ast.Module, number: int) -> ast.For | ast.While | None:
    """The innermost loop that a line is in."""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.For | ast.While) and node.body[0].lineno <= number <= (node.end_lineno or 0)
    ]
    return max(around, key=lambda node: node.lineno, default=None)


def _feeding(loop: ast.For | ast.While, number: int) -> Iterator[ast.stmt]:
    """The statement at a line, and those before it in the loop that make what it uses."""
    used: set[str] = set()
    for statement in reversed(loop.body):
        if statement.lineno <= number <= (statement.end_lineno or 0):
            used |= roots_of(statement)
            yield statement
        elif isinstance(statement, ast.Assign) and statement.lineno < number and roots_of(*statement.targets) & used:
            used |= roots_of(statement.value)
            yield statement


def _seeds(function: ast.AST) -> int | None:
    """Where a function seeds with a constant, whatever happens."""
    always = [node for node in getattr(function, "body", []) if isinstance(node, ast.Assign | ast.Expr | ast.Return)]
    for node in (inner for statement in always for inner in (statement, *own_nodes(statement))):
        if isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in SEEDING and isinstance(node.args[0].value, int):
                return node.lineno
    return None
