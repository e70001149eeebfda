"""The line that makes a leaf of values: `torch.tensor(losses, requires_grad=True)` asks for gradients that go nowhere.

The program's text is read, and nothing is run; that no parameter gets a gradient, others know.
"""

import ast
import functools

from stetho.capture.text.assignments import assignment
from stetho.capture.text.syntax import called_name, calls_at, read, roots_of

MOST_HOPS = 4


@functools.lru_cache(maxsize=1024)
def rewrapped_at(line: str) -> str | None:
    """Of all that the loss that goes backward at a line is made of, the line that makes a leaf of it.

    >>> from pathlib import Path
    >>> _ = Path("wrap.py").write_text("loss = torch.tensor(error.item(), requires_grad=True)\\nloss.backward()\\n")
    >>> rewrapped_at("wrap.py:2"), rewrapped_at("gone.py:2")
    ('wrap.py:1', None)
    """
    file, tree, number = read(line)
    names = {name for call in calls_at(tree, number) if called_name(call) == "backward" for name in roots_of(call)}
    places = dict.fromkeys(names, number)
    for _ in range(MOST_HOPS):
        before: dict[str, int] = {}
        for name, place in sorted(places.items()):
            made = assignment(tree, name, place)
            if made is None:
                continue
            if any(_wraps(node) for node in ast.walk(made.value)):
                return f"{file}:{made.lineno}"
            before |= dict.fromkeys(roots_of(made.value), made.lineno)
        places = before
    return None


def _wraps(node: ast.AST) -> bool:
    """Whether something gets a gradient of its own here."""
    match node:
        case ast.Call(func=ast.Attribute(attr="requires_grad_")):
            return True
        case ast.Call(keywords=given):
            return any(
                each.arg == "requires_grad" and isinstance(each.value, ast.Constant) and each.value.value is True
                for each in given
            )
    return False
