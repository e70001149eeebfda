"""Where a program takes the targets of a loss out of something longer: `gold = tokens[:, 1:]`."""

import ast
import functools

from stetho.capture.text.assignments import assignment
from stetho.capture.text.syntax import calls_at, function_around, read

MOST_HOPS = 4


@functools.lru_cache(maxsize=256)
def wanted_at(line: str) -> str | None:
    """The line of a loss's function that cuts its target out, if the loss is given a variable of its own for it.

    >>> from pathlib import Path
    >>> program = "gold = ids[:, 1:]\\nloss = cross_entropy(net(ids).flatten(0, 1), gold.reshape(-1))\\n"
    >>> _ = Path("wanted.py").write_text(program)
    >>> wanted_at("wanted.py:2")
    'wanted.py:1'
    """
    file, tree, number = read(line)
    for call in calls_at(tree, number):
        name = _variable(call.args[1]) if len(call.args) > 1 else None
        for _ in range(MOST_HOPS):
            made = assignment(tree, name, number) if name is not None else None
            if made is None or function_around(tree, made.lineno) is not function_around(tree, number):
                break
            if _is_cut(made.value):
                return f"{file}:{made.lineno}"
            name, number = _variable(made.value), made.lineno
        number = read(line)[2]
    return None


def _variable(value: ast.expr) -> str | None:
    """The variable that methods, as `gold.flatten()`, are called on."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        value = value.func.value
    return value.id if isinstance(value, ast.Name) else None


def _is_cut(value: ast.expr) -> bool:
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        value = value.func.value
    return isinstance(value, ast.Subscript)
