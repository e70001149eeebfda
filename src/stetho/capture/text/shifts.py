"""Where the inputs and the targets of a model of sequences are cut out: `inputs, targets = ids[:, :-1], ids[:, 1:]`."""

import ast
import functools

from stetho.capture.text.assignments import assignment
from stetho.capture.text.syntax import function_around, is_at, own_nodes, read, roots_of


@functools.lru_cache(maxsize=256)
def shifted_at(line: str) -> str | None:
    """The last line that cuts what the statement at a line uses along its sequence; None where it does so itself.

    >>> from pathlib import Path
    >>> _ = Path("shifts.py").write_text("x, y = ids[:, :-1], ids[:, 1:]\\nloss = model(x, y)\\n")
    >>> shifted_at("shifts.py:2"), shifted_at("shifts.py:1") is None
    ('shifts.py:1', True)
    """
    file, tree, number = read(line)
    scope = function_around(tree, number) or tree
    here = [node for node in own_nodes(scope) if isinstance(node, ast.stmt) and is_at(node, number)]
    statement = max(here, key=lambda node: node.lineno, default=None)
    if statement is None or _is_cut(statement):
        return None
    made = [found for name in sorted(roots_of(statement)) if (found := assignment(tree, name, number)) is not None]
    lines = [found.lineno for found in made if _is_cut(found.value) and _is_inside(scope, found)]
    return f"{file}:{max(lines)}" if lines else None


def _is_inside(scope: ast.AST, node: ast.stmt) -> bool:
    return isinstance(scope, ast.Module) or is_at(scope, node.lineno)  # type: ignore[arg-type]  # a function


def _is_cut(node: ast.AST) -> bool:
    """Whether a part is taken along the second side: `ids[:, 1:]`, `ids[..., :-1]`; or of one sequence: `ids[1:]`."""
    return any(isinstance(each, ast.Subscript) and _is_shift(each.slice) for each in ast.walk(node))


def _is_shift(index: ast.expr) -> bool:
    last = index.elts[-1] if isinstance(index, ast.Tuple) and len(index.elts) > 1 else index
    ends = (last.lower, last.upper) if isinstance(last, ast.Slice) else ()
    numbers = [each for each in ends if each is not None]
    return len(numbers) == 1 and _number(numbers[0])


def _number(node: ast.expr) -> bool:
    value = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(value, ast.Constant) and isinstance(value.value, int) and 0 < value.value <= 4
