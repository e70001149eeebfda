"""Where a program rearranges its data before a model gets them: gives them another shape, mirrors or turns them."""

import ast
from collections.abc import Iterator

from stetho.capture.syntax import read

RESHAPING = ("view", "reshape")
TURNING = ("flip", "fliplr", "flipud", "hflip", "vflip", "rot90", "rotate")
RANDOMLY = ("RandomHorizontalFlip", "RandomVerticalFlip", "RandomRotation")


def reshaped_at(file: str, channels: int) -> str | None:
    """The line of the only `view` or `reshape` to several axes outside of models, or else the only one to channels."""
    calls = [call for call in _calls(file) if _name(call) in RESHAPING and len(_axes(call)) > 1]
    named = [call for call in calls if any(_is_number(axis, channels) for axis in _axes(call))]
    found = calls if len(calls) == 1 else named
    return f"{file}:{found[0].end_lineno}" if len(found) == 1 else None


def turned_at(file: str) -> str | None:
    """The first line outside of models where something is mirrored or turned."""
    lines = [call.lineno for call in _calls(file) if _name(call) in (*TURNING, *RANDOMLY)]
    _, tree, _ = read(f"{file}:1")
    lines += [node.lineno for node in _outside(tree) if isinstance(node, ast.Slice) and _is_backwards(node)]
    return f"{file}:{min(lines)}" if lines else None


def _calls(file: str) -> list[ast.Call]:
    _, tree, _ = read(f"{file}:1")
    return [node for node in _outside(tree) if isinstance(node, ast.Call)]


def _outside(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those in the `forward` of a model."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef) or child.name != "forward":
            yield child
            yield from _outside(child)


def _name(call: ast.Call) -> str | None:
    return getattr(call.func, "attr", getattr(call.func, "id", None))


def _axes(call: ast.Call) -> list[ast.expr]:
    first = call.args[0] if call.args else None
    return list(first.elts) if isinstance(first, ast.Tuple | ast.List) else list(call.args)


def _is_number(axis: ast.expr | None, wanted: int) -> bool:
    return isinstance(axis, ast.Constant) and axis.value == wanted


def _is_backwards(node: ast.Slice) -> bool:
    step = node.step
    return isinstance(step, ast.UnaryOp) and isinstance(step.op, ast.USub) and _is_number(step.operand, 1)
