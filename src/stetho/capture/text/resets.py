"""Lines of a training loop that set all parameters of a model anew."""

import ast
import functools
from collections.abc import Iterable, Iterator

from stetho.capture.text.syntax import FUNCTIONS, called_name, function_around, own_nodes, read

RESETS = frozenset(("apply", "reset_parameters", "load_state_dict", "init_weights"))


@functools.lru_cache(maxsize=1024)
def reset_at(line: str) -> str | None:
    """The one line that sets parameters anew, in the function that makes its steps at a line, or in the loops around.

    >>> from pathlib import Path
    >>> program = "for epoch in range(3):\\n    model.apply(init)\\n    optimizer.step()\\n"
    >>> _ = Path("resets.py").write_text(program)
    >>> reset_at("resets.py:3"), reset_at("gone.py:3") is None
    ('resets.py:2', True)
    """
    file, tree, number = read(line)
    # What a function does before its loop, it does in each epoch that it is called for.
    scope = function_around(tree, number)
    calls = list(_calls(own_nodes(scope)) if scope is not None else _calls_in_loops(tree))
    own = {node.name for node in tree.body if isinstance(node, FUNCTIONS) and _sets_values(node)}
    found = _resets(calls, own) or (_resets(_beside_its_calls(tree, scope.name), own) if scope is not None else [])
    return f"{file}:{found[0]}" if len(found) == 1 else None


def _resets(calls: Iterable[ast.Call], own: set[str]) -> list[int]:
    return sorted({call.lineno for call in calls if called_name(call) in RESETS | own})


def _beside_its_calls(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    """What else is called in the innermost loops that call a function: an epoch may be a function of its own."""
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.For | ast.While)]
    callers = [loop for loop in loops if any(called_name(call) == name for call in _calls(own_nodes(loop)))]
    for loop in callers:
        if not any(inner is not loop and inner in callers for inner in own_nodes(loop)):
            yield from _calls(own_nodes(loop))


def _calls(nodes: Iterable[ast.AST]) -> Iterator[ast.Call]:
    return (node for node in nodes if isinstance(node, ast.Call))


def _calls_in_loops(scope: ast.AST) -> Iterator[ast.Call]:
    for loop in own_nodes(scope):
        if isinstance(loop, ast.For | ast.While):
            yield from _calls(own_nodes(loop))


def _sets_values(function: ast.AST) -> bool:
    """Whether a function calls `nn.init` or `reset_parameters`."""
    calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    return any("init." in ast.unparse(func) or getattr(func, "attr", "") == "reset_parameters" for func in calls)
