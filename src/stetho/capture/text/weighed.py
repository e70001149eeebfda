"""Where the weights of classes are computed: behind a helper's call, and behind what only brings them to one scale."""

import ast
import functools

from stetho.capture.text.syntax import FUNCTIONS, called_name, function_around, own_nodes, read, roots_of
from stetho.capture.text.values import ProgramText

MOST_HOPS = 4
HANDING_ON = ("tensor", "as_tensor", "from_numpy", "FloatTensor", "Tensor")


@functools.lru_cache(maxsize=256)
def weighed_at(line: str, argument: str, callee: str, position: int | None) -> str | None:
    """The line that computes the weights which a loss is given at a line; None where it gives none.

    >>> from pathlib import Path
    >>> program = "def f(n):\\n    w = n.max() - n\\n    return w / w.mean()\\nloss = CrossEntropyLoss(weight=f(n))\\n"
    >>> _ = Path("weighed.py").write_text(program)
    >>> weighed_at("weighed.py:4", "weight", "CrossEntropyLoss", 0)
    'weighed.py:2'
    """
    file, tree, number = read(line)
    text = ProgramText(tree)
    given = text.arguments(number, argument, callee, position)
    made = _computed(text, tree, given[0]) if len(given) == 1 else None
    return f"{file}:{made}" if made is not None else None


def _computed(text: ProgramText, tree: ast.Module, given: ast.expr) -> int:
    for _ in range(MOST_HOPS):
        emptied = _emptied(tree, given)
        if emptied is not None:
            return emptied
        before = _before(tree, text.written(given))
        if before is None:
            break
        given = before
    return text.written(given).lineno


def _before(tree: ast.Module, value: ast.expr) -> ast.expr | None:
    """What an expression only hands on or scales, or what the helper gives back that it calls."""
    match value:
        case ast.Call(func=ast.Name(id=name)) if name not in HANDING_ON:
            helpers = [node for node in tree.body if isinstance(node, FUNCTIONS) and node.name == name]
            returns = [n for f in helpers for n in own_nodes(f) if isinstance(n, ast.Return) and n.value is not None]
            return returns[0].value if len(returns) == 1 else None
        case ast.Call(args=[ast.Name() as inner, *_]) if called_name(value) in HANDING_ON:
            return inner
        case ast.BinOp(left=left, right=right, op=ast.Div() | ast.Mult()):
            if isinstance(left, ast.Name) and left.id in roots_of(right):
                return left
            return _before(tree, left) if isinstance(left, ast.BinOp) else None
    return None


def _emptied(tree: ast.Module, given: ast.expr) -> int | None:
    """The one line that sets some of the weights to nothing: `weights[0] = 0`."""
    if not isinstance(given, ast.Name):
        return None
    scope = function_around(tree, given.lineno) or tree
    nodes = [node for node in own_nodes(scope) if isinstance(node, ast.Assign) and node.lineno < given.lineno]
    zeros = [node for node in nodes if isinstance(node.value, ast.Constant) and node.value.value == 0]
    targets = [target for node in zeros for target in node.targets if isinstance(target, ast.Subscript)]
    found = [target.lineno for target in targets if getattr(target.value, "id", None) == given.id]
    return found[0] if len(found) == 1 else None
