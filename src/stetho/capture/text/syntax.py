"""The syntax of the program's files."""

import ast
import functools
import linecache
from collections.abc import Iterator

LARGEST_SOURCE = 1 << 20
Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def read(line: str) -> tuple[str, ast.Module, int]:
    """The file of a line, its syntax tree (an empty one where it cannot be read), and the number."""
    file, _, number = line.rpartition(":")
    tree = syntax_of(file) if file else None
    return file, tree if tree is not None else ast.Module([], []), int(number) if number.isdigit() else 0


@functools.lru_cache(maxsize=64)
def syntax_of(file: str) -> ast.Module | None:
    """The syntax tree of a file; None when there is no source, or too much of it."""
    source = "".join(linecache.getlines(file))
    if not source or len(source) > LARGEST_SOURCE:
        return None
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for node in ast.walk(tree):
        # A value may be followed into another file, and is then all that is known of it.
        vars(node)["file"] = file
    return tree


def place_of(node: ast.expr | ast.stmt, file: str = "") -> str:
    """The file and the line that a node was read from; `file` where its tree came from none.

    >>> place_of(ast.parse("lr = 0.1").body[0], "train.py")
    'train.py:1'
    """
    return f"{vars(node).get('file', file)}:{node.lineno}"


def own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope without those of functions and classes inside of it."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)


def roots_of(*nodes: ast.AST) -> set[str]:
    """All variables in some expressions or statements."""
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}


def calls_at(tree: ast.AST, number: int) -> list[ast.Call]:
    """The calls of the statement at a line, those around others first.

    >>> [called_name(call) for call in calls_at(ast.parse("loss = mse(model(x), y)"), 1)]
    ['mse', 'model']
    """
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and is_at(node, number)]


def called_name(call: ast.Call) -> str:
    """The last name of what is called.

    >>> called_name(ast.parse("torch.optim.SGD(weights)", mode="eval").body)
    'SGD'
    """
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def function_around(tree: ast.AST, number: int) -> Function | None:
    """The innermost function that a line is in.

    >>> function_around(ast.parse("def f():\\n    return 1"), 2).name
    'f'
    """
    around = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS) and is_at(node, number)]
    return max(around, key=lambda node: node.lineno, default=None)


def loops_around(tree: ast.AST, number: int) -> list[ast.For]:
    """The loops that a line is in, from inside out."""
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.For) and is_at(node, number)]
    return sorted(loops, key=lambda loop: -loop.lineno)


def is_at(node: ast.expr | ast.stmt, number: int) -> bool:
    """Whether a line is one of those that a node goes over."""
    return node.lineno <= number <= (node.end_lineno or node.lineno)
