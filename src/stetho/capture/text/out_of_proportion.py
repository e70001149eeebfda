"""Which of the two terms of a variational loss is reduced unlike the other: what is summed, and what is averaged."""

import ast
import functools
from collections.abc import Iterable

from stetho.capture.text.syntax import FUNCTIONS, called_name, own_nodes, read

COMPARING = ("mse_loss", "l1_loss", "smooth_l1_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits")


@functools.lru_cache(maxsize=64)
def out_of_proportion_at(file: str) -> str | None:
    """The line of the divergence if it is summed over samples too, that of the reconstruction if only it is averaged.

    None where the terms are not two statements of one function, or where their reductions are not plain to see.

    >>> from pathlib import Path
    >>> program = "recon = mse_loss(out, x)\\nkl = -0.5 * (1 + lv - mu**2 - lv.exp()).sum(1).mean()\\n"
    >>> _ = Path("vae.py").write_text(program)
    >>> out_of_proportion_at("vae.py"), out_of_proportion_at("gone.py") is None
    ('vae.py:1', True)
    """
    _, tree, _ = read(f"{file}:1")
    scopes = [tree, *(node for node in ast.walk(tree) if isinstance(node, FUNCTIONS))]
    found = {line for scope in scopes if (line := _unlike(scope)) is not None}
    return f"{file}:{found.pop()}" if len(found) == 1 else None


def _unlike(scope: ast.AST) -> int | None:
    statements = [n for n in own_nodes(scope) if isinstance(n, ast.Assign | ast.AugAssign | ast.Return) and n.value]
    divergences = [each for each in statements if _is_divergence(each.value)]  # type: ignore[arg-type]  # has a value
    errors = [each for each in statements if each not in divergences and _is_error(each.value)]  # type: ignore[arg-type]
    if len(divergences) != 1 or len(errors) != 1:
        return None
    divergence, error = divergences[0], errors[0]
    if _is_summed(error) or _is_divided(error):
        return None
    if _is_summed(divergence) and not _averages(divergence) and not _is_divided(divergence):
        return divergence.lineno
    return error.lineno if _sums_an_axis(divergence) and _averages(divergence) else None


def _is_divergence(value: ast.expr) -> bool:
    """A sum of a square and an exponential, and a number."""
    names = {called_name(node) for node in _calls(value)}
    squares = any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.Pow) for n in ast.walk(value))
    squares |= bool(names & {"pow", "square"})
    return squares and "exp" in names and any(isinstance(n, ast.Constant) and n.value == 1 for n in ast.walk(value))


def _is_error(value: ast.expr) -> bool:
    """A call of a loss function, or the square of a difference."""
    if any(called_name(call) in COMPARING for call in _calls(value)):
        return True
    squares = [n.left for n in ast.walk(value) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Pow)]
    squares += [c.func.value for c in _calls(value) if isinstance(c.func, ast.Attribute) and c.func.attr == "pow"]
    return any(isinstance(each, ast.BinOp) and isinstance(each.op, ast.Sub) for each in squares)


def _calls(node: ast.AST) -> Iterable[ast.Call]:
    return (part for part in ast.walk(node) if isinstance(part, ast.Call))


def _axes(call: ast.Call) -> bool:
    """Whether a reduction is told an axis: `x.sum(1)`, `torch.sum(x, dim=1)`."""
    is_function = isinstance(call.func, ast.Attribute) and getattr(call.func.value, "id", None) in ("torch", "np")
    return len(call.args) > is_function or any(each.arg in ("dim", "axis") for each in call.keywords)


def _is_summed(node: ast.AST) -> bool:
    says_so = any(isinstance(n, ast.keyword) and n.arg == "reduction" and getattr(n.value, "value", None) == "sum"
                  for n in ast.walk(node))  # fmt: skip
    return says_so or any(called_name(call) == "sum" and not _axes(call) for call in _calls(node))


def _sums_an_axis(node: ast.AST) -> bool:
    return any(called_name(call) == "sum" and _axes(call) for call in _calls(node))


def _averages(node: ast.AST) -> bool:
    return any(called_name(call) == "mean" for call in _calls(node))


def _is_divided(node: ast.AST) -> bool:
    """Whether something is divided, or multiplied with more than a number: that may make up for the sum."""
    products = [n for n in ast.walk(node) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mult | ast.Div)]
    return any(isinstance(n.op, ast.Div) or not (_is_number(n.left) or _is_number(n.right)) for n in products)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)
