"""Where a program gives other names to the keys of a state that it loads."""

import ast
import functools

from stetho.capture.text.syntax import FUNCTIONS, called_name, function_around, own_nodes, read
from stetho.capture.text.values import ProgramText


@functools.lru_cache(maxsize=256)
def renamed_at(line: str) -> str | None:
    """The line that makes the keys of the state which is loaded at a line anew; None where they are as they were saved.

    >>> from pathlib import Path
    >>> _ = Path("renamed.py").write_text("state = {k[6:]: v for k, v in old.items()}\\nnet.load_state_dict(state)\\n")
    >>> renamed_at("renamed.py:2"), renamed_at("gone.py:2") is None
    ('renamed.py:1', True)
    """
    file, tree, number = read(line)
    given = ProgramText(tree).arguments(number, "state_dict", "load_state_dict", 0)
    made = _keys(tree, given[0]) if len(given) == 1 else None
    return f"{file}:{made}" if made is not None else None


def _keys(tree: ast.Module, given: ast.expr, *, is_followed: bool = False) -> int | None:
    state = ProgramText(tree).written(given)
    if isinstance(state, ast.DictComp):
        is_kept = isinstance(state.key, ast.Name)
        return None if is_kept else state.key.lineno
    is_empty = isinstance(state, ast.Dict) or (isinstance(state, ast.Call) and called_name(state) == "OrderedDict")
    if is_empty:
        return _filled(tree, given) if isinstance(given, ast.Name) else None
    if isinstance(state, ast.Call) and isinstance(state.func, ast.Name) and not is_followed:
        functions = [n for n in tree.body if isinstance(n, FUNCTIONS) and n.name == state.func.id]
        returns = [n for f in functions for n in own_nodes(f) if isinstance(n, ast.Return) and n.value is not None]
        value = returns[0].value if len(returns) == 1 else None
        return _keys(tree, value, is_followed=True) if value is not None else None
    return None


def _filled(tree: ast.Module, name: ast.Name) -> int | None:
    """The one line that puts an entry under a key of its own making: `state[key[7:]] = value`."""
    scope = function_around(tree, name.lineno) or tree
    targets = [t for n in own_nodes(scope) if isinstance(n, ast.Assign) for t in n.targets if n.lineno < name.lineno]
    entries = [t for t in targets if isinstance(t, ast.Subscript) and getattr(t.value, "id", None) == name.id]
    made = [entry for entry in entries if not isinstance(entry.slice, ast.Name)]
    return made[0].lineno if len(entries) == len(made) == 1 else None
