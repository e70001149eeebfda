"""Where a plain list or dictionary holds the layers that a class of the program makes."""

import ast
import functools

from stetho.capture.text.syntax import called_name, is_at, read

PLAIN = ("list", "dict", "tuple")


@functools.lru_cache(maxsize=256)
def held_at(made: str) -> str | None:
    """The one line that puts objects of the class around a line into a plain container of another object.

    >>> from pathlib import Path
    >>> program = "class Expert:\\n    body = Linear(2, 2)\\nclass Net:\\n    def __init__(self):\\n"
    >>> _ = Path("held.py").write_text(program + "        self.experts = [Expert() for _ in range(4)]\\n")
    >>> held_at("held.py:2"), held_at("held.py:5") is None
    ('held.py:5', True)
    """
    file, tree, number = read(made)
    kinds = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and is_at(node, number)]
    lines = {line for kind in kinds[-1:] for line in _plainly_held(tree, kind)}
    return f"{file}:{lines.pop()}" if len(lines) == 1 else None


def _plainly_held(tree: ast.Module, kind: ast.ClassDef) -> set[int]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and not is_at(kind, node.lineno) and _is_plain(node.value):
            targets = [each for each in node.targets if isinstance(each, ast.Attribute)]
            calls = {called_name(part) for part in ast.walk(node.value) if isinstance(part, ast.Call)}
            if targets and kind.name in calls:
                found.add(node.lineno)
    return found


def _is_plain(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return called_name(value) in PLAIN
    return isinstance(value, ast.List | ast.ListComp | ast.Dict | ast.DictComp | ast.Tuple)
