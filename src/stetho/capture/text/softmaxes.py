"""Where a program writes the softmax that was seen before a layer, or in a loss."""

import ast
import functools

from stetho.capture.text.syntax import FUNCTIONS, called_name, function_around, own_nodes, read

NAMES = ("softmax", "log_softmax", "scaled_dot_product_attention")


@functools.lru_cache(maxsize=256)
def softmax_at(line: str, over_first: bool = False) -> str | None:
    """The last softmax before a line in the same function, or the only one of it, or else of the file.

    With `over_first`, only those over the first axis count.

    >>> from pathlib import Path
    >>> _ = Path("soft.py").write_text("weights = (9 * scores).softmax(-1)\\ny = head(weights @ values)\\n")
    >>> softmax_at("soft.py:2"), softmax_at("soft.py:2", True) is None
    ('soft.py:1', True)
    """
    file, tree, number = read(line)
    around = function_around(tree, number) or tree
    own = _lines(around, over_first)
    before = [each for each in own if each <= number]
    if before:
        return f"{file}:{max(before)}"
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    known = own or {each for function in functions for each in _lines(function, over_first)}
    return f"{file}:{known.pop()}" if len(known) == 1 else None


def _lines(scope: ast.AST, over_first: bool) -> set[int]:
    calls = [node for node in own_nodes(scope) if isinstance(node, ast.Call) and called_name(node) in NAMES]
    return {call.lineno for call in calls if _axis(call) == 0 or not over_first}


def _axis(call: ast.Call) -> int | None:
    """The axis that a softmax is told: by name, as the only argument of a method, as the second of a function."""
    named = [each.value for each in call.keywords if each.arg in ("dim", "axis")]
    is_function = getattr(call.func, "id", "") in NAMES or _holder(call) in ("torch", "F", "functional")
    told = named or call.args[is_function : is_function + 1]
    return told[0].value if told and isinstance(told[0], ast.Constant) and isinstance(told[0].value, int) else None


def _holder(call: ast.Call) -> str:
    """`F` of `F.softmax(x, 0)`."""
    holder = call.func.value if isinstance(call.func, ast.Attribute) else None
    return holder.attr if isinstance(holder, ast.Attribute) else getattr(holder, "id", "")
