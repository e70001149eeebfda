"""Where a loop over pieces of a sequence makes the state that each of them begins with."""

import ast
import functools

from stetho.capture.text.assignments import assignment
from stetho.capture.text.syntax import called_name, calls_at, loops_around, own_nodes, read, roots_of

BEGINNING = ("reset", "init_hidden", "init_state", "zero_state")


@functools.lru_cache(maxsize=64)
def state_made_at(line: str) -> str:
    """The line, in the same loop, that makes the state which a model is given at a line; else that line itself.

    >>> from pathlib import Path
    >>> program = "for piece in pieces:\\n    state = None\\n    out, state = model(piece, state)\\n"
    >>> _ = Path("begun.py").write_text(program)
    >>> state_made_at("begun.py:3"), state_made_at("gone.py:3")
    ('begun.py:2', 'gone.py:3')
    """
    file, tree, number = read(line)
    loops = loops_around(tree, number)
    if not loops:
        return line
    given = [each for call in calls_at(tree, number) for each in (*call.args[1:], *(k.value for k in call.keywords))]
    for name in sorted(roots_of(*given)):
        made = assignment(tree, name, number)
        if made is not None and made.lineno > loops[0].lineno:
            return f"{file}:{made.lineno}"
    statements = (node.value for node in own_nodes(loops[0]) if isinstance(node, ast.Expr))
    calls = [each for each in statements if isinstance(each, ast.Call) and each.lineno < number]
    begun = (call.lineno for call in calls if called_name(call).startswith(BEGINNING))
    return f"{file}:{next(begun, number)}"
