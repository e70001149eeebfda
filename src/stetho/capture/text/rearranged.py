"""Where a program rearranges its data before a model gets them: gives them another shape, mirrors or turns them."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import called_name, read

RESHAPING = ("view", "reshape")
TURNING = ("flip", "fliplr", "flipud", "hflip", "vflip", "rot90", "rotate")
SAMPLING = ("__getitem__", "__call__", "transform", "collate", "collate_fn")
AT_RANDOM, AUGMENTING, ANYWHERE = range(3)
RANDOMLY = ("RandomHorizontalFlip", "RandomVerticalFlip", "RandomRotation")


@functools.lru_cache(maxsize=1024)
def reshaped_at(file: str, channels: int) -> str | None:
    """The line of the only `view` or `reshape` to several axes outside of models, or else the only one to channels."""
    calls = [call for call in _calls(file) if called_name(call) in RESHAPING and len(_axes(call)) > 1]
    named = [call for call in calls if any(_is_number(axis, channels) for axis in _axes(call))]
    found = calls if len(calls) == 1 else named
    return f"{file}:{found[0].end_lineno}" if len(found) == 1 else None


@functools.lru_cache(maxsize=1024)
def turned_at(file: str) -> str | None:
    """Where something is mirrored or turned outside of models: at random, or where data are augmented, or anywhere."""
    _, tree, _ = read(f"{file}:1")
    found = sorted(_turns(tree, ANYWHERE))
    return f"{file}:{found[0][1]}" if found else None


def _turns(node: ast.AST, rank: int) -> Iterator[tuple[int, int]]:
    """How likely each turn is one that is made at random, the likeliest being 0, and its line."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef) and child.name == "forward":
            continue
        inside = rank
        if isinstance(child, ast.FunctionDef) and (child.name in SAMPLING or "aug" in child.name.lower()):
            inside = min(rank, AUGMENTING)
        if isinstance(child, ast.If | ast.IfExp) and "rand" in ast.unparse(child.test):
            inside = AT_RANDOM
        if isinstance(child, ast.Call) and called_name(child) in (*TURNING, *RANDOMLY):
            yield (AT_RANDOM if called_name(child) in RANDOMLY else inside), child.lineno
        if isinstance(child, ast.Slice) and _is_backwards(child):
            yield inside, child.lineno
        yield from _turns(child, inside)


def _calls(file: str) -> list[ast.Call]:
    _, tree, _ = read(f"{file}:1")
    return [node for node in _outside(tree) if isinstance(node, ast.Call)]


def _outside(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those in the `forward` of a model."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef) or child.name != "forward":
            yield child
            yield from _outside(child)


def _axes(call: ast.Call) -> list[ast.expr]:
    first = call.args[0] if call.args else None
    return list(first.elts) if isinstance(first, ast.Tuple | ast.List) else list(call.args)


def _is_number(axis: ast.expr | None, wanted: int) -> bool:
    return isinstance(axis, ast.Constant) and axis.value == wanted


def _is_backwards(node: ast.Slice) -> bool:
    step = node.step
    return isinstance(step, ast.UnaryOp) and isinstance(step.op, ast.USub) and _is_number(step.operand, 1)
