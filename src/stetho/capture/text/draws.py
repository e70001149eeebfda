"""Where the code of a variational model is drawn so that no gradient comes back: `sample`, `torch.normal`, a cut."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import FUNCTIONS, Function, called_name, function_around, own_nodes, read

DRAWS = frozenset(("sample", "normal", "sample_n", "multinomial", "bernoulli"))
CUTS = frozenset(("detach", "numpy", "from_numpy", "tensor", "no_grad", "inference_mode"))


@functools.lru_cache(maxsize=256)
def drawn_at(called: str) -> str | None:
    """The last line before a call where something is drawn or cut: in its function, one that it calls, or its caller.

    >>> from pathlib import Path
    >>> _ = Path("draw.py").write_text("q = Normal(mean, scale)\\nz = q.sample()\\nimages = decoder(z)\\n")
    >>> drawn_at("draw.py:3"), drawn_at("draw.py:1")
    ('draw.py:2', None)
    """
    file, tree, number = read(called)
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    scope = function_around(tree, number)
    callers = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and called_name(node) == _name(scope)]
    places = [(scope, number), *((function_around(tree, call.lineno), call.end_lineno or 0) for call in callers)]
    for names in (DRAWS, CUTS):
        for around, until in places:
            calls = sorted(_calls(around or tree, until), key=lambda call: -call.lineno)
            found = next((line for call in calls for line in _lines(call, functions, names)), None)
            if found is not None:
                return f"{file}:{found}"
    return None


def _name(function: Function | None) -> str:
    return function.name if function is not None else "no function"


def _calls(scope: ast.AST, until: int) -> Iterator[ast.Call]:
    return (node for node in own_nodes(scope) if isinstance(node, ast.Call) and node.lineno <= until)


def _lines(call: ast.Call, functions: list[Function], names: frozenset[str]) -> Iterator[int]:
    if called_name(call) in names:
        yield call.lineno
    for function in functions:
        if function.name == called_name(call):
            yield from (inner.lineno for inner in _calls(function, function.end_lineno or 0)
                        if called_name(inner) in names)  # fmt: skip
