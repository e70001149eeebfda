"""Where the values of an input may become no number: a logarithm, a root, a division by what may be 0."""

import ast
import functools

from stetho.capture.text.on_the_way import first_in_what_is_given, first_up_to
from stetho.capture.text.syntax import FUNCTIONS, called_name, read

RISKY = frozenset(
    ("log", "log2", "log10", "sqrt", "rsqrt", "arccos", "arcsin", "acos", "asin", "divide", "true_divide")
)
DIVIDING = ("divide", "true_divide")
OF_ALL = ("std", "nanstd", "var", "nanvar", "mean", "sum", "nansum", "norm", "ptp")
"""Figures of many samples, if nothing says over which axis, or the first one."""
PER_SAMPLE = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.SetComp, ast.Lambda, *FUNCTIONS)


@functools.lru_cache(maxsize=64)
def undefined_at(line: str) -> str | None:
    """The last line before one that makes an input, or that line itself, where a value may become no number.

    A function of the same file that is called there is looked into. None where nothing of that kind is written.

    >>> from pathlib import Path
    >>> _ = Path("undefined.py").write_text("table = np.log(table)\\nx = torch.tensor(table)\\n")
    >>> undefined_at("undefined.py:2"), undefined_at("gone.py:2") is None
    ('undefined.py:1', True)
    """
    return first_up_to(line, _is_risky)


@functools.lru_cache(maxsize=64)
def undefined_before(line: str) -> str | None:
    """The same for the line of a call: where what it is given may have become no number, on the way to it.

    >>> from pathlib import Path
    >>> _ = Path("called.py").write_text("x = load()\\nloss = torch.log(model(x / x.std(0)))\\n")
    >>> undefined_before("called.py:2")
    'called.py:2'
    """
    return first_in_what_is_given(line, _is_risky)


@functools.lru_cache(maxsize=64)
def operation_at(line: str) -> str | None:
    """What may give no number at a line, and how it is written there; None where it is not one thing alone.

    >>> from pathlib import Path
    >>> _ = Path("divided.py").write_text("x = (x - mean) / deviation\\n")
    >>> operation_at("divided.py:1"), operation_at("gone.py:1") is None
    ('div: (x - mean) / deviation', True)
    """
    _, tree, number = read(line)
    found = [n for n in ast.walk(tree) if isinstance(n, ast.expr) and n.lineno == number and _is_risky(n)]
    if len(found) != 1:
        return None
    name = called_name(found[0]) if isinstance(found[0], ast.Call) else "div"
    words = "div by a figure of all" if _is_by_figure_of_all(tree, found[0]) else "div" if name in DIVIDING else name
    return f"{words}: {ast.unparse(found[0])}"


def _is_by_figure_of_all(tree: ast.Module, node: ast.expr) -> bool:
    """Whether data are divided, once for all of them, by a figure of theirs: if that is 0, no sample is spared."""
    if not (isinstance(node, ast.BinOp) and isinstance(node.right, ast.Call)):
        return False
    figure = node.right
    over = [*figure.args, *(each.value for each in figure.keywords if each.arg in ("axis", "dim"))]
    is_of_all = all(isinstance(each, ast.Constant) and each.value in (None, 0) for each in over)
    around = (each for each in ast.walk(tree) if isinstance(each, PER_SAMPLE))
    return (
        called_name(figure) in OF_ALL
        and isinstance(figure.func, ast.Attribute)
        and is_of_all
        and not any(node in ast.walk(each) for each in around)
    )


def _is_risky(node: ast.expr) -> bool:
    match node:
        case ast.Call():
            return called_name(node) in RISKY
        case ast.BinOp(op=ast.Div(), right=divisor):
            # A sum with a small number is made so that it is never 0.
            return not isinstance(divisor, ast.Constant) and not _has_number(divisor)
    return False


def _has_number(divisor: ast.expr) -> bool:
    is_sum = isinstance(divisor, ast.BinOp) and isinstance(divisor.op, ast.Add)
    is_kept = isinstance(divisor, ast.Call) and called_name(divisor) in ("clamp", "clip", "maximum", "max", "len")
    return is_sum or is_kept
