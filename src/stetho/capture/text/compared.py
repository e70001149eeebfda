"""Where a program hands predictions and targets to a formula of its own: `loss = mse(pred, y)`."""

import ast
import functools

from stetho.capture.text.syntax import called_name, function_around, own_nodes, read, roots_of


@functools.lru_cache(maxsize=256)
def compared_at(returned: str, backward: str) -> str | None:
    """The last call, before a line, of the function that returns at another; None if it does more than to return.

    What such a function is given does not fit by the fault of its caller.

    >>> from pathlib import Path
    >>> program = "def mse(p, y):\\n    return ((p - y) ** 2).mean()\\nloss = mse(net(x), y)\\nloss.backward()\\n"
    >>> _ = Path("compared.py").write_text(program)
    >>> compared_at("compared.py:2", "compared.py:4"), compared_at("compared.py:3", "compared.py:4") is None
    ('compared.py:3', True)
    """
    file, tree, number = read(returned)
    formula = function_around(tree, number)
    if formula is None or backward.rpartition(":")[0] != file:
        return None
    body = [each for each in formula.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
    parameters = {each.arg for each in formula.args.args} | {"torch", "F", "self"}
    if len(body) != 1 or not isinstance(body[0], ast.Return) or not roots_of(body[0]) <= parameters:
        return None
    before = read(backward)[2]
    scope = function_around(tree, before) or tree
    calls = [node for node in own_nodes(scope) if isinstance(node, ast.Call) and called_name(node) == formula.name]
    lines = [call.lineno for call in calls if call.lineno <= before]
    return f"{file}:{max(lines)}" if lines else None
