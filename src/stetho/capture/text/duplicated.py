"""Where a program duplicates rows, or draws some of them again, before it splits them into parts."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.rows import given
from stetho.capture.text.syntax import FUNCTIONS, called_name, own_nodes, read, roots_of
from stetho.capture.text.values import ProgramText

SPLITTING = ("train_test_split", "random_split")
DUPLICATING = ("fit_resample", "resample", "repeat", "repeat_interleave", "tile")
JOINING = ("cat", "concat", "concatenate", "vstack")


@functools.lru_cache(maxsize=64)
def duplicated_at(file: str) -> str | None:
    """The one line that duplicates rows of what is split after it in the same function.

    >>> from pathlib import Path
    >>> _ = Path("doubled.py").write_text("x = np.repeat(x, 3, axis=0)\\na, b = train_test_split(x)\\n")
    >>> duplicated_at("doubled.py"), duplicated_at("gone.py") is None
    ('doubled.py:1', True)
    """
    _, tree, _ = read(f"{file}:1")
    text = ProgramText(tree)
    own = {node.name for node in tree.body if isinstance(node, FUNCTIONS) and any(map(_duplicates, ast.walk(node)))}
    scopes = [tree, *(node for node in ast.walk(tree) if isinstance(node, FUNCTIONS))]
    found = {line for scope in scopes for line in _before_a_split(text, scope, own)}
    return f"{file}:{found.pop()}" if len(found) == 1 else None


def _before_a_split(text: ProgramText, scope: ast.AST, own: set[str]) -> Iterator[int]:
    nodes = list(own_nodes(scope))
    splits = [node for node in nodes if isinstance(node, ast.Call) and called_name(node) in SPLITTING]
    for split in splits:
        rows = roots_of(*split.args, *(text.written(each) for each in split.args[:2]))
        for statement in (node for node in nodes if isinstance(node, ast.Assign) and node.lineno < split.lineno):
            inside = [node for node in ast.walk(statement.value) if isinstance(node, ast.Call)]
            is_twice = any(called_name(call) in own or _duplicates(call) for call in inside)
            if is_twice and rows & {name for name, _ in given(statement)}:
                yield statement.lineno


def _duplicates(node: ast.AST) -> bool:
    """Whether a call repeats rows, draws with replacement, or joins an array with rows of its own."""
    if not isinstance(node, ast.Call):
        return False
    if called_name(node) == "choice":
        return any(each.arg == "replace" and getattr(each.value, "value", False) is True for each in node.keywords)
    if called_name(node) in JOINING and node.args and isinstance(node.args[0], ast.List | ast.Tuple):
        parts = [part.value if isinstance(part, ast.Subscript) else part for part in node.args[0].elts]
        names = [part.id for part in parts if isinstance(part, ast.Name)]
        return len(names) > len(set(names))
    return called_name(node) in DUPLICATING
