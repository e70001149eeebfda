"""Where a column of a table is translated by a dictionary whose keys are numbers in quotes, and gaps are filled with 0.

A column of numbers has none of these keys: all of it becomes a gap, and then 0.
"""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import called_name, read


@functools.lru_cache(maxsize=64)
def mapped_at(file: str) -> str | None:
    """The one line of such a translation.

    >>> from pathlib import Path
    >>> program = 't["sex"] = t["sex"].map({"m": 1, "f": 2})\\nt["kind"] = t["kind"].map({"1": 1, "2": 5})\\n'
    >>> _ = Path("mapped.py").write_text(program + "t = t.fillna(0)\\n")
    >>> _ = Path("unmapped.py").write_text(program)
    >>> mapped_at("mapped.py"), mapped_at("unmapped.py") is None
    ('mapped.py:2', True)
    """
    _, tree, _ = read(f"{file}:1")
    lines = [call.lineno for call, keys in _maps(tree) if keys and all(map(_is_number_in_quotes, keys))]
    is_filled = len(lines) == 1 and any(line >= lines[0] for line in _fills(tree))
    return f"{file}:{lines[0]}" if is_filled else None


def _maps(tree: ast.Module) -> Iterator[tuple[ast.Call, list[object]]]:
    """Calls of `map` with a dictionary that is written there or has a name, and its keys."""
    named = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and called_name(node) == "map":
            given = node.args[0] if node.args else None
            table = named.get(given.id) if isinstance(given, ast.Name) else given
            if isinstance(table, ast.Dict):
                yield node, [getattr(key, "value", None) for key in table.keys]


def _fills(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called_name(node) in ("fillna", "nan_to_num"):
            values = [*node.args[-1:], *(each.value for each in node.keywords if each.arg in ("value", "nan"))]
            is_zero = any(isinstance(each, ast.Constant) and each.value == 0 for each in values)
            if is_zero or (called_name(node) == "nan_to_num" and not node.keywords):
                yield node.lineno


def _is_number_in_quotes(key: object) -> bool:
    return isinstance(key, str) and key.strip().lstrip("-").isdigit()
