"""Where a state that a model keeps under a name goes on from batch to batch."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import FUNCTIONS, called_name, is_at, loops_around, own_nodes, read

CUTTING = ("detach", "detach_", "repackage_hidden", "clone")


@functools.lru_cache(maxsize=64)
def carried_at(called: str, inside: str) -> str | None:
    """Of a model that is called at a line, and whose layer is called inside of it: the line that takes the old state.

    That is where the loop cuts the graph of the state before it goes on, or else where the model looks first at what
    it kept. None where no class of the file around the second line keeps anything from call to call.

    >>> from pathlib import Path
    >>> program = "class Net:\\n    def forward(self, x):\\n        y, self.h = self.rnn(x, self.h)\\ny = Net()(x)\\n"
    >>> _ = Path("carried.py").write_text(program)
    >>> carried_at("carried.py:4", "carried.py:3"), carried_at("carried.py:4", "gone.py:3") is None
    ('carried.py:3', True)
    """
    file, tree, number = read(inside)
    kind = next((n for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and is_at(n, number)), None)
    methods = [n for n in kind.body if isinstance(n, FUNCTIONS)] if kind is not None else []
    ways = [each for each in methods if each.name not in ("__init__", "reset")]
    run = next((each for each in methods if each.name == "forward"), None)
    used = {called_name(n) for n in own_nodes(run) if isinstance(n, ast.Call)} if run is not None else set()
    ways = [each for each in ways if each is run or each.name in used]
    kept = {name for way in ways for name, _ in _written(way)}
    lines = {line for way in ways for name, line in _read(way) if name in kept}
    if not lines:
        return None
    return _cut_in_loop(called, kept) or f"{file}:{_first(ways, lines)}"


def _first(ways: list[ast.FunctionDef | ast.AsyncFunctionDef], lines: set[int]) -> int:
    """The first of some lines in the order that they are run: what `forward` calls comes before what it does then."""
    helpers = [each for each in ways if each.name != "forward"]
    early = {line for line in lines for way in helpers if is_at(way, line)}
    return min(early or lines)


def _cut_in_loop(called: str, kept: set[str]) -> str | None:
    """The one line in the loop around a call that cuts the graph of a kept state: `model.h = model.h.detach()`."""
    file, tree, number = read(called)
    loop = next(iter(loops_around(tree, number)), None)
    lines = set()
    for node in own_nodes(loop) if loop is not None else ():
        match node:
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=value) if name in kept:
                calls = {called_name(part) for part in ast.walk(value) if isinstance(part, ast.Call)}
                lines |= {node.lineno} if calls & set(CUTTING) else set()
    return f"{file}:{lines.pop()}" if len(lines) == 1 else None


def _written(function: ast.AST) -> Iterator[tuple[str, int]]:
    """Attributes of itself that a function sets to more than a constant."""
    for node in own_nodes(function):
        if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Constant):
            for part in (each for target in node.targets for each in ast.walk(target)):
                if _is_own(part, ast.Store):
                    yield part.attr, part.lineno  # type: ignore[attr-defined]  # an attribute


def _read(function: ast.AST) -> Iterator[tuple[str, int]]:
    for node in own_nodes(function):
        if _is_own(node, ast.Load):
            yield node.attr, node.lineno  # type: ignore[attr-defined]  # an attribute


def _is_own(node: ast.AST, use: type[ast.expr_context]) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, use) and getattr(node.value, "id", "") == "self"
