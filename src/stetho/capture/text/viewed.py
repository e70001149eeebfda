"""Where what a layer or a loss is given gets another shape without a change in the order of its elements."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.assignments import assignment
from stetho.capture.text.syntax import FUNCTIONS, called_name, calls_at, own_nodes, read, roots_of

VIEWING = ("view", "reshape")
TURNING = ("transpose", "permute", "movedim", "swapaxes", "T", "mT", "moveaxis", "rearrange")
MOST_HOPS = 4


@functools.lru_cache(maxsize=256)
def viewed_at(line: str) -> str | None:
    """The one line before a call at a line that sees what it is given in another shape, and does not turn its axes.

    >>> from pathlib import Path
    >>> _ = Path("viewed.py").write_text("h = h.reshape(b, t, -1)\\ny = head(h)\\n")
    >>> viewed_at("viewed.py:2"), viewed_at("viewed.py:1") is None
    ('viewed.py:1', True)
    """
    file, tree, number = read(line)
    calls = calls_at(tree, number)
    if any(True for call in calls for _ in _views(call)):
        return None
    given = roots_of(*(value for call in calls for value in (*call.args, *(each.value for each in call.keywords))))
    found = {place for name in given for place in _followed(tree, name, number, MOST_HOPS)}
    return f"{file}:{found.pop()}" if len(found) == 1 else None


def _followed(tree: ast.Module, name: str, number: int, hops: int) -> Iterator[int]:
    made = assignment(tree, name, number) if hops else None
    if made is None:
        return
    views = list(_views(made.value))
    if views:
        yield made.lineno
    yield from _in_helpers(tree, made.value)
    if views or any(_is_own(node) for node in ast.walk(made.value)):
        # What a layer makes of its input is no view of it any more.
        return
    for each in sorted(roots_of(made.value)):
        yield from _followed(tree, each, made.lineno, hops - 1)


def _in_helpers(tree: ast.Module, value: ast.expr) -> Iterator[int]:
    """Views in functions and methods of the file that an expression calls: `self.split(x)`."""
    called = {called_name(node) for node in ast.walk(value) if isinstance(node, ast.Call)} - {"forward"}
    for function in ast.walk(tree):
        if isinstance(function, FUNCTIONS) and function.name in called:
            returns = [node.value for node in own_nodes(function) if isinstance(node, ast.Return) and node.value]
            yield from (view.lineno for each in returns for view in _views(each))


def _is_own(node: ast.AST) -> bool:
    """Whether a node calls a layer of the module: `self.encoder(x)`."""
    function = node.func if isinstance(node, ast.Call) else None
    return isinstance(function, ast.Attribute) and getattr(function.value, "id", None) == "self"


def _views(value: ast.expr) -> Iterator[ast.Call]:
    """Calls that give several axes to something whose axes are not turned at the same time."""
    for node in ast.walk(value):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and called_name(node) in VIEWING:
            first = node.args[0] if node.args else None
            axes = first.elts if isinstance(first, ast.Tuple | ast.List) else node.args
            turned = any(getattr(part, "attr", "") in TURNING for part in ast.walk(node.func.value))
            if len(axes) > 1 and not turned:
                yield node
