"""Where a batch is changed by a function of the program before a model gets it: `model(augment(x))`."""

import ast
import functools

from stetho.capture.text.assignments import assignment
from stetho.capture.text.returned import function_called, last_return
from stetho.capture.text.syntax import called_name, calls_at, place_of, read, roots_of


@functools.lru_cache(maxsize=256)
def changed_at(line: str) -> str | None:
    """The line where the function gives back what it made of the batch that a model is given at a line.

    Only a function that is given the batch counts: one that makes it of nothing changes none.

    >>> from pathlib import Path
    >>> program = "def noisy(x):\\n    return x + 9 * randn_like(x)\\nloss = mse(model(noisy(x)), y)\\n"
    >>> _ = Path("changed.py").write_text(program)
    >>> changed_at("changed.py:3"), changed_at("changed.py:2") is None
    ('changed.py:2', True)
    """
    file, tree, number = read(line)
    for outer in reversed(calls_at(tree, number)):
        given = outer.args[0] if outer.args else None
        if given is None or function_called(file, tree, outer) is not None:
            continue
        if isinstance(given, ast.Name):
            made = assignment(tree, given.id, number)
            given = made.value if made is not None and given.id in roots_of(made.value) else None
        if isinstance(given, ast.Call) and called_name(given) and given.args:
            function = function_called(file, tree, given)
            returns = last_return(function) if function is not None else None
            return place_of(returns, file) if returns is not None else None
    return None
