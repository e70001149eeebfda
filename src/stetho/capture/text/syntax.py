"""The syntax of the program's files."""

import ast
import functools
import linecache
from collections.abc import Iterator

LARGEST_SOURCE = 1 << 20
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
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


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
