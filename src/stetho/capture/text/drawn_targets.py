"""Where answers are compared with numbers that are drawn at that moment, so that nothing can tell them."""

import ast
import functools

from stetho.capture.text.assignments import assignment, loss_made_at
from stetho.capture.text.syntax import called_name, function_around, own_nodes, read

DRAWS = frozenset(("randn", "randn_like", "rand", "rand_like", "normal", "standard_normal"))


@functools.lru_cache(maxsize=256)
def target_drawn_at(line: str) -> str | None:
    """The line that draws what the loss that goes backward at a line compares answers with, and nothing else has.

    >>> from pathlib import Path
    >>> program = "e = randn_like(x)\\nloss = mse_loss(net(x + e), {})\\nloss.backward()\\n"
    >>> for target in ("randn_like(x)", "e"):
    ...     _ = Path(f"{target}.py").write_text(program.format(target))
    >>> target_drawn_at("randn_like(x).py:3"), target_drawn_at("e.py:3") is None
    ('randn_like(x).py:2', True)
    """
    file, tree, number = read(loss_made_at(line) or line)
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.Assign | ast.Return | ast.Expr)]
    statement = next((node for node in statements if node.lineno == number), None)
    for target in _targets(statement) if statement is not None else ():
        if _is_draw(target):
            return f"{file}:{target.lineno}"
        made = assignment(tree, target.id, number) if isinstance(target, ast.Name) else None
        if isinstance(target, ast.Name) and made is not None and _is_draw(made.value):
            scope = function_around(tree, number) or tree
            if sum(_reads(node, target.id) for node in own_nodes(scope)) == 1:
                return f"{file}:{made.lineno}"
    return None


def _targets(statement: ast.stmt) -> list[ast.expr]:
    """What is subtracted or subtracted from, and what a function is given beside its first argument."""
    found: list[ast.expr] = []
    for node in ast.walk(statement):
        match node:
            case ast.BinOp(op=ast.Sub()):
                found += [node.right, node.left]
            case ast.Call(args=[_, second, *_]):
                found.append(second)
    return found


def _is_draw(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and called_name(value) in DRAWS


def _reads(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
