"""Lines that write to parameters in place, beside the optimizer: the program's text is read, and nothing is run."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import read

KEPT = frozenset(("requires_grad_", "zero_grad", "backward", "detach_"))
"""They change no value of a parameter."""
SOURCES = frozenset(("parameters", "named_parameters", "state_dict"))
MEMBERS = frozenset(("weight", "bias", "data"))


@functools.lru_cache(maxsize=256)
def written_at(update: str) -> str | None:
    """The one line of a file that writes to parameters in place, save for those in front of all training.

    >>> from pathlib import Path
    >>> _ = Path("average.py").write_text("optimizer.step()\\nfor p in model.parameters():\\n    p.div_(count)\\n")
    >>> written_at("average.py:1"), written_at("gone.py:1") is None
    ('average.py:3', True)
    """
    file, tree, number = read(update)
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.For) and _goes_through_parameters(node)]
    ours = {part.id for loop in loops for part in ast.walk(loop.target) if isinstance(part, ast.Name)}
    lines = sorted(set(_writes(tree, ours)))
    behind = [line for line in lines if line > number]
    found = behind if len(behind) == 1 else lines
    return f"{file}:{found[0]}" if len(found) == 1 else None


def _goes_through_parameters(loop: ast.For) -> bool:
    calls = [node.func for node in ast.walk(loop.iter) if isinstance(node, ast.Call)]
    return any(getattr(func, "attr", "") in SOURCES for func in calls)


def _writes(tree: ast.Module, ours: set[str]) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = node.func.attr
            is_in_place = name.endswith("_") and not name.endswith("__") and name not in KEPT
            if is_in_place and _is_parameter(_inner(node.func.value), ours):
                yield node.lineno
        elif isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            is_changed = isinstance(node, ast.AugAssign)
            if any(_is_parameter(each, ours if is_changed else set()) for each in targets):
                yield node.lineno


def _inner(node: ast.expr) -> ast.expr:
    """What a chain of methods in place begins with: `p.mul_(0).div_(n)`."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    return node


def _is_parameter(node: ast.expr, ours: set[str]) -> bool:
    match node:
        case ast.Name(id=name):
            return name in ours
        case ast.Attribute(attr=name):
            return name in MEMBERS
        case ast.Subscript(value=value):
            return _is_parameter(value, ours)
    return False
