"""Where a model, a data set or a transform computes something and leaves the result lying: `x + self.positions`."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import FUNCTIONS, called_name, own_nodes, read

ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.MatMult)
WITHOUT_EFFECT = frozenset((
    "cat", "clamp", "dropout", "flatten", "flip", "gelu", "layer_norm", "log_softmax", "masked_fill", "normalize",
    "permute", "relu", "reshape", "roll", "sigmoid", "softmax", "squeeze", "stack", "swapaxes", "tanh", "transpose",
    "tril", "triu", "unsqueeze", "view",
))  # fmt: skip
"""What gives back a new tensor; what ends in `_`, or is told to, changes the one it is given."""
IN_PLACE = ("inplace", "out")
CALLED_FOR_A_RESULT = ("forward", "__getitem__", "__call__")
"""Only classes with one of these are read: elsewhere a result may be left lying to take the time, or in a notebook."""
MOST_TEXT = 60


@functools.lru_cache(maxsize=64)
def discarded_at(file: str) -> str | None:
    """The first such line of a file.

    >>> from pathlib import Path
    >>> program = "class Net(Module):\\n def forward(self, x):\\n  x + self.positions\\n  return self.body(x)\\n"
    >>> _ = Path("lost.py").write_text(program)
    >>> _ = Path("not_lost.py").write_text(program.replace("x + ", "x = x + "))
    >>> discarded_at("lost.py"), discarded_at("not_lost.py") is None
    ('lost.py:3', True)
    """
    _, tree, _ = read(f"{file}:1")
    lines = [statement.lineno for statement in _discarded(tree)]
    return f"{file}:{min(lines)}" if lines else None


@functools.lru_cache(maxsize=64)
def discarded_text(line: str) -> str | None:
    """What is written at such a line.

    >>> discarded_text("gone.py:3") is None
    True
    """
    _, tree, number = read(line)
    texts = [ast.unparse(each) for each in _discarded(tree) if each.lineno == number]
    return (texts[0] if len(texts[0]) <= MOST_TEXT else f"{texts[0][:MOST_TEXT]}…") if texts else None


def _discarded(tree: ast.Module) -> Iterator[ast.Expr]:
    for made in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        methods = [node for node in made.body if isinstance(node, FUNCTIONS)]
        if any(method.name in CALLED_FOR_A_RESULT for method in methods):
            yield from (statement for method in methods for statement in _in(method))


def _in(method: ast.AST) -> Iterator[ast.Expr]:
    nodes = list(own_nodes(method))
    # What is tried is computed to see whether it can be.
    tried = {id(node) for each in nodes if isinstance(each, ast.Try) for node in ast.walk(each)}
    for node in nodes:
        if isinstance(node, ast.Expr) and id(node) not in tried and _has_no_effect(node.value):
            yield node


def _has_no_effect(value: ast.expr) -> bool:
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, ARITHMETIC)
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return False
    if any(each.arg in IN_PLACE for each in value.keywords):
        return False
    # A layer that is kept as `self.relu` may be one that changes what it is given.
    is_layer = isinstance(value.func.value, ast.Name) and value.func.value.id == "self"
    return not is_layer and called_name(value) in WITHOUT_EFFECT
