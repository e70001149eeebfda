"""Where a program changes gradients between the backward pass and the update: its text is read, and nothing is run."""

import ast
from collections.abc import Iterator

from stetho.capture.text.syntax import function_around, own_nodes, read

EMPTYING = ("zero_", "requires_grad_", "detach_")


def changed_at(backward: str, update: str | None) -> str | None:
    """The line that writes to a gradient after the line of a backward pass, and before that of the update.

    >>> from pathlib import Path
    >>> program = "loss.backward()\\nfor each in weights:\\n    each.grad.div_(norm)\\noptimizer.step()\\n"
    >>> _ = Path("scaled.py").write_text(program)
    >>> changed_at("scaled.py:1", "scaled.py:4"), changed_at("gone.py:1", None)
    ('scaled.py:3', None)
    """
    file, tree, first = read(backward)
    other, _, number = read(update) if update is not None else (file, tree, 0)
    last = number if other == file and number > first else None
    scope = function_around(tree, first) or tree
    between = [line for line in _writes(own_nodes(scope)) if first <= line <= (last or line)]
    # A loop may call a function for it, which stands elsewhere in the file.
    anywhere = set(_writes(ast.walk(tree)))
    if not between and len(anywhere) != 1:
        return None
    return f"{file}:{max(between or anywhere)}"


def _writes(nodes: Iterator[ast.AST]) -> Iterator[int]:
    for node in nodes:
        if isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            is_emptied = isinstance(node.value, ast.Constant) and node.value.value is None
            if not is_emptied and any(_is_gradient(target) for target in targets):
                yield node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = node.func.attr
            is_in_place = name.endswith("_") and not name.endswith("__") and name not in EMPTYING
            if is_in_place and (_is_gradient(node.func.value) or any(_is_gradient(each) for each in node.args)):
                yield node.lineno


def _is_gradient(node: ast.AST) -> bool:
    """Whether something is `each.grad`, a part of it, or a row of such."""
    return any(isinstance(each, ast.Attribute) and each.attr == "grad" for each in ast.walk(node))
