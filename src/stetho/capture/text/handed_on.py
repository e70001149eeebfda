"""Where a number is written that a block hands on to a layer inside of it: `Block(8, 1)` makes `nn.Linear(i, o)`.

A block may be made at several places; which of them made this one is known from the run. Widths often come out of a
list: `[Block(a, b) for a, b in zip(widths, widths[1:])]`.
"""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import called_name, calls_at, function_around, is_at, own_nodes, read
from stetho.capture.text.values import ProgramText

Loop = ast.For | ast.comprehension
GROWING = ("append", "extend", "insert")


@functools.lru_cache(maxsize=1024)
def handed_on_at(made: str, block: str, holder: str, callee: str, argument: str, position: int | None) -> str | None:
    """The line that writes what a block of class `holder`, made at `block`, hands on to a layer made at `made`.

    >>> from pathlib import Path
    >>> block = "class Block:\\n  def __init__(self, i, o):\\n    self.fc = Linear(i, o)\\n"
    >>> _ = Path("blocks.py").write_text(block + "x = Block(4, 8)\\ny = Block(8, 1)\\n")
    >>> handed_on_at("blocks.py:3", "blocks.py:5", "Block", "Linear", "out_features", 1)
    'blocks.py:5'
    """
    _, tree, number = read(made)
    parameter = _parameter(tree, number, holder, ProgramText(tree).arguments(number, argument, callee, position))
    if parameter is None:
        return None
    file, outer, line = read(block)
    calls = [call for call in calls_at(outer, line) if called_name(call) == holder]
    given = [value for call in calls if (value := _given(call, *parameter)) is not None]
    if len(given) != 1:
        return None
    source = _source(outer, given[0]) or given[0]
    grown = _grown(outer, source) if isinstance(source, ast.Name) else None
    return f"{file}:{grown if grown is not None else ProgramText(outer).written(source).lineno}"


def _parameter(tree: ast.Module, number: int, holder: str, given: list[ast.expr]) -> tuple[str, int] | None:
    """The parameter of the block's `__init__` that a layer is given, and its position."""
    maker = function_around(tree, number)
    names = [each.arg for each in maker.args.args[1:]] if maker is not None and maker.name == "__init__" else []
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and maker in node.body]
    known = {value.id for value in given if isinstance(value, ast.Name)} & set(names)
    if len(known) != 1 or len(given) != 1 or [each.name for each in blocks] != [holder]:
        return None
    name = known.pop()
    return name, names.index(name)


def _given(call: ast.Call, name: str, position: int) -> ast.expr | None:
    named = next((each.value for each in call.keywords if each.arg == name), None)
    if named is not None or any(isinstance(each, ast.Starred) for each in call.args):
        return named
    return call.args[position] if position < len(call.args) else None


def _source(tree: ast.Module, value: ast.expr) -> ast.expr | None:
    """What a variable of a loop or a comprehension is taken from, one by one."""
    if not isinstance(value, ast.Name):
        return None
    for loop in _loops(tree, value.lineno):
        targets = loop.target.elts if isinstance(loop.target, ast.Tuple) else [loop.target]
        place = next((place for place, each in enumerate(targets) if getattr(each, "id", None) == value.id), None)
        if place is None:
            continue
        taken = loop.iter
        if isinstance(taken, ast.Call) and called_name(taken) == "zip" and place < len(taken.args):
            taken = taken.args[place]
        return taken.value if isinstance(taken, ast.Subscript) else taken
    return None


def _loops(tree: ast.Module, number: int) -> Iterator[Loop]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ListComp | ast.GeneratorExp) and is_at(node, number):
            yield from node.generators
        elif isinstance(node, ast.For) and is_at(node, number):
            yield node


def _grown(tree: ast.Module, name: ast.Name) -> int | None:
    """The one line that adds to a list, in the function that uses it."""
    scope = function_around(tree, name.lineno) or tree
    lines = {
        node.lineno
        for node in own_nodes(scope)
        if isinstance(node, ast.Call)
        and called_name(node) in GROWING
        and isinstance(node.func, ast.Attribute)
        and getattr(node.func.value, "id", None) == name.id
        and node.lineno < name.lineno
    }
    return lines.pop() if len(lines) == 1 else None
