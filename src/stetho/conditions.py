"""Conditions under which a program is stopped for a look: `nan`, the name of a check, or an expression."""

import ast
import difflib
import functools
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAMES = ("step", "loss", "grad_norm", "lr", "batch_size", "loss_scale", "clip_norm", "forwards", "backwards")
"""What is known of a step right before its update."""

_OPERATIONS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Mod: operator.mod, ast.FloorDiv: operator.floordiv, ast.Pow: operator.pow, ast.USub: operator.neg,
    ast.UAdd: operator.pos, ast.Not: operator.not_, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
NO_FAMILIES = ("evidence", "mechanisms", "run")
_CHECK = re.compile(r"[a-z]+(-[a-z]+)+")


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition as it was written.

    >>> Condition.parse("loss > 10 and step > 5").holds({"loss": 11.0, "step": 6})
    True
    >>> Condition.parse("nan").kind, Condition.parse("dead-relu").kind
    ('nan', 'check')
    """

    text: str
    kind: str

    @classmethod
    def parse(cls, text: str) -> "Condition":
        """Read a condition; ValueError says what it may be."""
        text = text.strip()
        if text == "nan":
            return cls(text, "nan")
        is_check = text in shipped_checks() or bool(_CHECK.fullmatch(text))
        if text not in shipped_checks() and (is_check or (text.isidentifier() and text not in NAMES)):
            # Others may be of the user's own making.
            close = difflib.get_close_matches(text.replace("_", "-"), shipped_checks(), n=1, cutoff=0.85)
            if close:
                raise ValueError(f"is the name of no check, did you mean `{close[0]}`?")
        if is_check:
            return cls(text, "check")
        if text.isidentifier() and text not in NAMES:
            known = f"nan (infinity too), the names of checks, and {', '.join(NAMES)}"
            raise ValueError(f"is not known{_guess(text, ('nan', *NAMES))}; known: {known}")
        try:
            tree = ast.parse(text, mode="eval")
        except SyntaxError:
            raise ValueError('must be nan, the name of a check, or an expression as in "loss > 10"') from None
        for node in ast.walk(tree.body):
            _allow(node)
        return cls(text, "expression")

    def holds(self, values: Mapping[str, float | None]) -> bool:
        """Whether an expression is true; a value that is not known makes it false."""
        try:
            return bool(_value(ast.parse(self.text, mode="eval").body, values))
        except (TypeError, ZeroDivisionError, OverflowError):
            return False


@functools.cache
def shipped_checks() -> tuple[str, ...]:
    """The names of the checks that come with stetho, read off their files: nothing is imported this early.

    >>> "dead-relu" in shipped_checks(), "overflow" in shipped_checks()
    (True, True)
    """
    files = (Path(__file__).parent / "checks").glob("*/*.py")
    families = [each for each in files if each.parent.name not in NO_FAMILIES and each.stem != "__init__"]
    return tuple(sorted(each.stem.replace("_", "-") for each in families))


def _allow(node: ast.AST) -> None:
    if isinstance(node, ast.Name) and node.id not in NAMES:
        raise ValueError(f"has an unknown name `{node.id}`{_guess(node.id, NAMES)}; known: {', '.join(NAMES)}")
    plain = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Load, ast.And, ast.Or)
    if not isinstance(node, plain) and type(node) not in _OPERATIONS:
        raise ValueError(f"may compare and compute, as in loss > 2 * lr, and has a {type(node).__name__}")


def _guess(name: str, names: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, names, n=1)
    return f", did you mean `{close[0]}`" if close else ""


def _value(node: ast.expr, values: Mapping[str, float | None]) -> Any:
    match node:
        case ast.Constant():
            return node.value
        case ast.Name():
            return values.get(node.id)
        case ast.UnaryOp():
            return _OPERATIONS[type(node.op)](_value(node.operand, values))
        case ast.BinOp():
            return _OPERATIONS[type(node.op)](_value(node.left, values), _value(node.right, values))
        case ast.BoolOp():
            parts = (_value(each, values) for each in node.values)
            return all(parts) if isinstance(node.op, ast.And) else any(parts)
        case ast.Compare():
            sides = [_value(each, values) for each in (node.left, *node.comparators)]
            pairs = zip(node.ops, sides, sides[1:], strict=False)
            return all(one is not None and other is not None and _OPERATIONS[type(op)](one, other)
                       for op, one, other in pairs)  # fmt: skip
    raise TypeError(ast.dump(node))
