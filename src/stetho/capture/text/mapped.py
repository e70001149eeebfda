"""Where a column of a table is translated by a dictionary, in a program that fills the gaps which this may leave."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import called_name, read


@functools.lru_cache(maxsize=64)
def mapped_at(file: str) -> str | None:
    """The line of a translation by a dictionary whose misses are filled with 0 later on.

    Of several, the one whose keys are numbers that are written as text, if it is alone in that; else the one that fills
    the gaps.

    >>> from pathlib import Path
    >>> program = 't["sex"] = t["sex"].map({"m": 1, "f": 2})\\nt["kind"] = t["kind"].map({"1": 1, "2": 5})\\n'
    >>> _ = Path("mapped.py").write_text(program + "t = t.fillna(0)\\n")
    >>> _ = Path("gaps.py").write_text(program)
    >>> mapped_at("mapped.py"), mapped_at("gaps.py") is None
    ('mapped.py:2', True)
    """
    _, tree, _ = read(f"{file}:1")
    maps = {call.lineno: keys for call, keys in _maps(tree)}
    fills = [line for line in _fills(tree) if maps and line >= min(maps)]
    if not fills:
        return None
    written = [line for line, keys in maps.items() if all(_is_number(key) for key in keys)]
    found = written if len(written) == 1 else list(maps) if len(maps) == 1 else fills
    return f"{file}:{min(found)}"


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
            if isinstance(table, ast.Dict) and all(isinstance(key, ast.Constant) for key in table.keys):
                yield node, [key.value for key in table.keys if isinstance(key, ast.Constant)]


def _fills(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called_name(node) in ("fillna", "nan_to_num"):
            values = [*node.args[-1:], *(each.value for each in node.keywords if each.arg in ("value", "nan"))]
            is_zero = any(isinstance(each, ast.Constant) and each.value == 0 for each in values)
            if is_zero or (called_name(node) == "nan_to_num" and not node.keywords):
                yield node.lineno


def _is_number(key: object) -> bool:
    return isinstance(key, str) and key.strip().lstrip("-").isdigit()
