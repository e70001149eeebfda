"""Where a program means to switch to evaluation, and does not: `model.training = False`, `model.eval`."""

import ast
import functools

from stetho.capture.text.syntax import function_around, own_nodes, read


@functools.lru_cache(maxsize=64)
def mode_at(line: str) -> str | None:
    """The one line, before one that evaluates and in the same function, that seems to switch the mode, and does not.

    >>> from pathlib import Path
    >>> _ = Path("modes.py").write_text("model.training = False\\nscores = model(x)\\n")
    >>> mode_at("modes.py:2"), mode_at("gone.py:2") is None
    ('modes.py:1', True)
    """
    file, tree, number = read(line)
    lines = {each for each in map(_switch, own_nodes(function_around(tree, number) or tree)) if each is not None}
    before = {each for each in lines if each < number}
    return f"{file}:{before.pop()}" if len(before) == 1 else None


def _switch(node: ast.AST) -> int | None:
    match node:
        case ast.Assign(targets=[ast.Attribute(attr="training")], value=ast.Constant(value=False)):
            return node.lineno
        case ast.Expr(value=ast.Attribute(attr="eval")):
            # A method that is only named.
            return node.lineno
    return None
