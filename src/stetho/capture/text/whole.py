"""Where a program makes whole numbers of others, in an array that it fills or at once: their fractions are cut off."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.rows import given
from stetho.capture.text.syntax import FUNCTIONS, called_name, own_nodes, read

LIKE = ("zeros_like", "empty_like", "ones_like", "full_like")
MADE = ("zeros", "empty", "ones", "full")
COUNTING = ("arange", "argsort", "nonzero", "flatnonzero", "randint", "randperm", "range")
WHOLE = ("int", "int8", "int16", "int32", "int64", "long", "uint8", "intp")


@functools.lru_cache(maxsize=64)
def whole_at(file: str) -> str | None:
    """The line that makes an array of whole numbers which is filled with values of another one; None for several.

    >>> from pathlib import Path
    >>> program = "rows = np.arange(9)\\ny = np.zeros_like(rows)\\nfor k in rows:\\n    y[k] = series[k + 3]\\n"
    >>> _ = Path("whole.py").write_text(program)
    >>> whole_at("whole.py")
    'whole.py:2'
    """
    _, tree, _ = read(f"{file}:1")
    scopes = [tree, *(node for node in ast.walk(tree) if isinstance(node, FUNCTIONS))]
    lines = {line for scope in scopes for line in _cut(scope)}
    return f"{file}:{lines.pop()}" if len(lines) == 1 else None


@functools.lru_cache(maxsize=64)
def made_whole_at(file: str) -> str | None:
    """The line that makes a tensor of whole numbers out of a variable; None for several.

    >>> from pathlib import Path
    >>> _ = Path("cast.py").write_text("x = torch.tensor(rows)\\ny = torch.tensor(prices, dtype=torch.long)\\n")
    >>> made_whole_at("cast.py")
    'cast.py:2'
    """
    _, tree, _ = read(f"{file}:1")
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    lines = {call.lineno for call in calls if makes_whole(call)}
    return f"{file}:{lines.pop()}" if len(lines) == 1 else None


def makes_whole(call: ast.Call) -> bool:
    """Whether a call turns the values of a variable into whole numbers, whatever they were."""
    name, kinds = called_name(call), [each.value for each in call.keywords if each.arg == "dtype"]
    if name in ("astype", "to", "type"):
        return any(map(_names_whole, [*call.args, *kinds]))
    if name in ("long", "int", "LongTensor", "IntTensor"):
        return isinstance(call.func, ast.Attribute) and bool(call.args) == name.endswith("Tensor")
    return name in ("tensor", "as_tensor", "array", "asarray") and bool(call.args) and any(map(_names_whole, kinds))


def _cut(scope: ast.AST) -> Iterator[int]:
    statements = sorted((node for node in own_nodes(scope) if isinstance(node, ast.stmt)), key=lambda node: node.lineno)
    values = {name: (value, each.lineno) for each in statements for name, value in given(each)}
    for statement in statements:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not (isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)):
            continue
        made, line = values.get(target.value.id, (None, 0))
        filled = statement.value if isinstance(statement, ast.Assign) else None
        is_other = isinstance(filled, ast.Subscript | ast.BinOp | ast.Call) and not _is_whole(filled, {})
        if made is not None and is_other and _holds_whole(made, values):
            yield line


def _holds_whole(value: ast.expr, values: dict[str, tuple[ast.expr, int]]) -> bool:
    """Whether an array is made for whole numbers: of a type that says so, or like one that counts something."""
    if not isinstance(value, ast.Call):
        return False
    types = [each.value for each in value.keywords if each.arg == "dtype"]
    if types:
        return called_name(value) in (*LIKE, *MADE) and _names_whole(types[0])
    return called_name(value) in LIKE and bool(value.args) and _is_whole(value.args[0], values)


def _names_whole(kind: ast.expr) -> bool:
    return (kind.attr if isinstance(kind, ast.Attribute) else getattr(kind, "id", "")) in WHOLE


def _is_whole(value: ast.expr, values: dict[str, tuple[ast.expr, int]]) -> bool:
    """Whether an expression gives whole numbers, for sure."""
    match value:
        case ast.Name(id=name) if name in values:
            return _is_whole(values[name][0], {})
        case ast.Call(func=ast.Attribute(attr="astype"), args=[kind]):
            return _names_whole(kind)
        case ast.Call(func=ast.Attribute(attr="long" | "int")) | ast.Call(func=ast.Name(id="int" | "len")):
            return True
        case ast.Call():
            floats = [part for part in ast.walk(value) if isinstance(part, ast.Constant) and type(part.value) is float]
            return called_name(value) in COUNTING and not value.keywords and not floats
    return False
