"""Lines of a program that change tensors in place."""

import ast
import re
from collections.abc import Collection, Iterator

from stetho.capture.frames import text_of
from stetho.capture.text.syntax import syntax_of
from stetho.explaining.scene import Made

_METHOD = re.compile(r"^[a-z]\w*[a-z0-9]_$")
_HARMLESS = re.compile(r"^(requires_grad|zero_grad|zero|normal|uniform|xavier_\w+|kaiming_\w+|share_memory)_$")
"""Set-up rather than computation."""


def in_place_lines(file: str, tensors: Collection[str] = ()) -> Iterator[Made]:
    """The statements of a file that change a tensor in place, as far as its text and the names of `tensors` tell."""
    tree = syntax_of(file)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.stmt) and (changes_in_place(node) or _adds_to(node, tensors)):
            yield Made(f"{file}:{node.lineno}", text_of(node))


def _adds_to(statement: ast.stmt, tensors: Collection[str]) -> bool:
    """Whether it is `x += 1`, which mostly counts something, and x is a tensor."""
    return (
        isinstance(statement, ast.AugAssign)
        and isinstance(statement.target, ast.Name)
        and statement.target.id in tensors
    )


def changes_in_place(statement: ast.stmt) -> bool:
    """Whether a statement is `x += …`, `x[…] = …` or calls a method with an underscore at its end.

    >>> [changes_in_place(ast.parse(code).body[0]) for code in ("x += y", "x[0] = 1", "y = x.relu_()", "x = x + 1")]
    [True, True, True, False]
    """
    match statement:
        case ast.AugAssign():
            return not isinstance(statement.value, ast.Constant)
        case ast.Assign(targets=[ast.Subscript()]):
            return True
        case ast.Assign() | ast.Expr() | ast.Return() if statement.value is not None:
            calls = (each.func for each in ast.walk(statement.value) if isinstance(each, ast.Call))
            names = (each.attr for each in calls if isinstance(each, ast.Attribute))
            return any(_METHOD.match(name) and not _HARMLESS.match(name) for name in names)
    return False
