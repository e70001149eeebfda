"""Where the values of an input may become no number: a logarithm, a root, a division by what may be 0."""

import ast
import functools

from stetho.capture.text.assignments import assignment
from stetho.capture.text.syntax import FUNCTIONS, called_name, is_at, own_nodes, read, roots_of

RISKY = frozenset(
    ("log", "log2", "log10", "sqrt", "rsqrt", "arccos", "arcsin", "acos", "asin", "divide", "true_divide")
)
DIVIDING = ("divide", "true_divide")
MOST_HOPS = 6


@functools.lru_cache(maxsize=64)
def undefined_at(line: str) -> str | None:
    """The last line before one that makes an input, or that line itself, where a value may become no number.

    A function of the same file that is called there is looked into. None where nothing of that kind is written.

    >>> from pathlib import Path
    >>> _ = Path("undefined.py").write_text("table = np.log(table)\\nx = torch.tensor(table)\\n")
    >>> undefined_at("undefined.py:2"), undefined_at("gone.py:2") is None
    ('undefined.py:1', True)
    """
    file, tree, number = read(line)
    return _first_risk(file, tree, _statement(tree, number))


@functools.lru_cache(maxsize=64)
def undefined_before(line: str) -> str | None:
    """The same for the line of a call: where what it is given may have become no number, on the way to it.

    >>> from pathlib import Path
    >>> _ = Path("called.py").write_text("x = load()\\nloss = torch.log(model(x / x.std(0)))\\n")
    >>> undefined_before("called.py:2")
    'called.py:2'
    """
    file, tree, number = read(line)
    calls = [call for each in _statement(tree, number) for call in ast.walk(each) if isinstance(call, ast.Call)]
    given = [argument for call in calls if not _is_of_library(call.func) for argument in call.args]
    return _first_risk(file, tree, [ast.copy_location(ast.Expr(argument), argument) for argument in given])


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
    return f"{'div' if name in DIVIDING else name}: {ast.unparse(found[0])}"


def _statement(tree: ast.Module, number: int) -> list[ast.stmt]:
    simple = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and not hasattr(n, "body") and is_at(n, number)]
    return simple[:1]


def _is_of_library(called: ast.expr) -> bool:
    """Whether it is a function of torch's or a method of a tensor's, and not a model: `F.mse_loss`, `(a - b).pow`."""
    if not isinstance(called, ast.Attribute):
        return not isinstance(called, ast.Name)
    return not isinstance(called.value, ast.Name) or called.value.id != "self"


def _first_risk(file: str, tree: ast.Module, waiting: list[ast.stmt]) -> str | None:
    for _ in range(MOST_HOPS):
        found = next((each for statement in waiting if (each := _risk(tree, statement)) is not None), None)
        if found is not None:
            return f"{file}:{found}"
        before = [assignment(tree, name, each.lineno) for each in waiting for name in sorted(roots_of(each))]
        waiting = [each for each in dict.fromkeys(before) if each is not None]
    return None


def _risk(tree: ast.Module, statement: ast.stmt) -> int | None:
    """The line of a risk in a statement, or the only one in the functions that it calls."""
    own = [node.lineno for node in ast.walk(statement) if isinstance(node, ast.expr) and _is_risky(node)]
    if own:
        return own[0]
    called = {called_name(node) for node in ast.walk(statement) if isinstance(node, ast.Call)}
    functions = [node for node in tree.body if isinstance(node, FUNCTIONS) and node.name in called]
    inside = [node for each in functions for node in own_nodes(each)]
    lines = {node.lineno for node in inside if isinstance(node, ast.expr) and _is_risky(node)}
    return lines.pop() if len(lines) == 1 else None


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
