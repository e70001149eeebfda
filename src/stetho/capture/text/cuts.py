"""Lines that take a computation out of the graph: `detach`, `.data`, numpy, `no_grad`, `argmax`, a new tensor.

The program's text is read, and nothing is run; whether the graph is cut at all, others know.
"""

import ast
import functools
import sys
from collections.abc import Collection, Iterable, Iterator

from stetho.capture.text.syntax import (
    FUNCTIONS,
    called_name,
    calls_at,
    function_around,
    is_at,
    loops_around,
    own_nodes,
    read,
    roots_of,
)

METHODS = frozenset(("detach", "detach_", "numpy", "tolist", "item", "argmax", "round", "sign"))
MAKERS = frozenset(("tensor", "from_numpy", "as_tensor", "array", "asarray", "Tensor", "FloatTensor", "multinomial"))
MODES = frozenset(("no_grad", "inference_mode"))


@functools.lru_cache(maxsize=1024)
def cut_at(called: tuple[str, ...]) -> str | None:
    """The line that cuts the graph behind a layer, which is called at the first of these lines, its holder at the next.

    >>> from pathlib import Path
    >>> _ = Path("net.py").write_text("features = body(x)\\nscores = head(features.detach())\\n")
    >>> cut_at(("net.py:1",)), cut_at(("gone.py:1",))
    ('net.py:2', None)
    """
    for line in called:
        file, tree, number = read(line)
        ways = (_without_gradients, _in_statement, _in_what_is_called, _before_its_step, _later)
        found = next((cut for way in ways if (cut := way(tree, number)) is not None), None)
        if found is not None:
            return f"{file}:{found}"
    return None


@functools.lru_cache(maxsize=1024)
def cut_in_loop(called: str) -> str | None:
    """The line that takes a state out of the graph in the innermost loop around a call.

    >>> from pathlib import Path
    >>> _ = Path("cell.py").write_text("for x in xs:\\n    h = cell(x, h)\\n    h = h.detach()\\n")
    >>> cut_in_loop("cell.py:2"), cut_in_loop("gone.py:2")
    ('cell.py:3', None)
    """
    file, tree, number = read(called)
    loop = next(iter(loops_around(tree, number)), None)
    found = min(_cuts(own_nodes(loop), ("detach", "detach_"), frozenset()), default=None) if loop is not None else None
    return None if found is None else f"{file}:{found}"


def _without_gradients(tree: ast.Module, number: int) -> int | None:
    """A `with torch.no_grad()` around a line, or such a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.With) and is_at(node, number):
            if any(_last_name(item.context_expr) in MODES for item in node.items):
                return node.lineno
        elif isinstance(node, FUNCTIONS) and is_at(node, number):
            modes = [each for each in node.decorator_list if _last_name(each) in MODES]
            if modes:
                return modes[0].lineno
    return None


def _in_statement(tree: ast.Module, number: int) -> int | None:
    """A cut in the statement at a line; that of a block is its head."""
    simple = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and not hasattr(n, "body")]
    at = [node for node in simple if is_at(node, number)]
    return next((line for node in at for line in _cuts(ast.walk(node))), None)


def _later(tree: ast.Module, number: int) -> int | None:
    """The first cut in the statements behind a line in the same function, before the loss goes backward."""
    nodes = list(own_nodes(function_around(tree, number) or tree))
    # What follows is only read of the loss: `losses.append(loss.item())`.
    ends = (n.lineno for n in nodes if isinstance(n, ast.Call) and called_name(n) == "backward" and n.lineno > number)
    end = min(ends, default=sys.maxsize)
    return min((line for line in _cuts(nodes) if number < line < end), default=None)


def _before_its_step(tree: ast.Module, number: int) -> int | None:
    """The first cut in what leads to the step of the optimizer that holds what is called at a line.

    With several losses in one loop, what the others take out of the graph is none of its business: a discriminator
    is given detached pictures, the generator's own loss must not be.
    """
    names = {root for call in calls_at(tree, number) for root in roots_of(call.func)}
    nodes = list(own_nodes(function_around(tree, number) or tree))
    held = [n for n in ast.walk(tree) if isinstance(n, ast.Assign) and names & _given_parameters(n.value)]
    optimizers = {target.id for n in held for target in n.targets if isinstance(target, ast.Name)}
    calls = [n for n in nodes if isinstance(n, ast.Call) and n.lineno > number]
    ends = [n.lineno for n in calls if called_name(n) == "step" and roots_of(n.func) & optimizers]
    backwards = sorted(n.lineno for n in calls if called_name(n) == "backward" and ends and n.lineno < min(ends))
    if len(backwards) < 2:
        return None
    return min((line for line in _cuts(nodes) if backwards[-2] < line < backwards[-1]), default=None)


def _given_parameters(value: ast.expr) -> set[str]:
    """Of which names a call is given the parameters: `Adam(net.parameters())`."""
    calls = [n for n in ast.walk(value) if isinstance(n, ast.Call) and called_name(n) == "parameters"]
    return {root for call in calls for root in roots_of(call.func)}


def _in_what_is_called(tree: ast.Module, number: int) -> int | None:
    """A cut in a function or a module of the same file that the statement at a line calls."""
    names = {called_name(call) for call in calls_at(tree, number)}
    functions = {node.name: node for node in tree.body if isinstance(node, FUNCTIONS)}
    forwards = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    inside: list[ast.AST] = [functions[name] for name in sorted(names & functions.keys())]
    for name in sorted(names - functions.keys()):
        kind = class_of(tree, name)
        inside += [part for part in getattr(forwards.get(kind), "body", ()) if getattr(part, "name", "") == "forward"]
    return next((line for function in inside for line in sorted(_cuts(own_nodes(function)))), None)


def _cuts(
    nodes: Iterable[ast.AST], methods: Collection[str] = METHODS | MAKERS, modes: Collection[str] = MODES
) -> Iterator[int]:
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr=name)) if name in methods:
                yield node.lineno
            case ast.Attribute(attr="data", ctx=ast.Load()):
                yield node.lineno
            case ast.With(items=items) if any(_last_name(item.context_expr) in modes for item in items):
                yield node.lineno


def class_of(tree: ast.Module, attribute: str) -> str:
    """The class of what is kept under a name: `self.spectrum = Spectrum()`."""
    for node in ast.walk(tree):
        targets = node.targets if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) else []
        if any(_last_name(target) == attribute for target in targets):
            return _last_name(node.value)  # type: ignore[attr-defined]  # an assignment, as its targets tell
    return ""


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return _last_name(node.func)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
