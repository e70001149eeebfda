"""Where a function applies the activation that its output ends in, if that is a function and no layer."""

import ast
import functools

from stetho.capture.text.syntax import called_name, function_around, own_nodes, read

FUNCTIONS = ("relu", "sigmoid", "tanh", "softmax", "softplus")


@functools.lru_cache(maxsize=512)
def activation_at(line: str, name: str) -> str | None:
    """The last call of an activation in the function around a line; None where the function has none.

    >>> from pathlib import Path
    >>> program = "def f(x):\\n    x = relu(a(x))\\n    x = relu(b(x))\\n    return x.squeeze(1)\\n"
    >>> _ = Path("activations.py").write_text(program)
    >>> activation_at("activations.py:4", "relu"), activation_at("activations.py:4", "tanh") is None
    ('activations.py:3', True)
    """
    file, tree, number = read(line)
    function = function_around(tree, number)
    nodes = own_nodes(function) if function is not None else ()
    lines = [node.lineno for node in nodes if isinstance(node, ast.Call) and called_name(node) == name]
    return f"{file}:{max(lines)}" if lines else None
