"""Where a function gives back what a call of it gives: a function of the program, or an object that is called."""

import ast
from collections.abc import Iterator

from stetho.capture.text.modules import meant
from stetho.capture.text.syntax import FUNCTIONS, Function, own_nodes, place_of, syntax_of
from stetho.capture.text.values import ProgramText

CALLED = ("__call__", "forward")


def return_of(file: str, tree: ast.Module, call: ast.expr) -> str | None:
    """The line where what is called gives its value back; None where several may be meant, or none of the program.

    >>> tree = ast.parse("def error(a):\\n    return a\\nloss = error(1)")
    >>> return_of("train.py", tree, tree.body[1].value)
    'train.py:2'
    """
    function = call.func if isinstance(call, ast.Call) else None
    if function is None or (isinstance(function, ast.Attribute) and not isinstance(function.value, ast.Name)):
        return None
    functions = _named(file, tree, function) or list(_of_object(file, tree, function))
    returns = last_return(functions[0]) if len(functions) == 1 else None
    return place_of(returns, file) if returns is not None else None


def function_called(file: str, tree: ast.Module, call: ast.Call) -> Function | None:
    """The one function of the program that a call is of, be it written in another file."""
    functions = _named(file, tree, call.func) if isinstance(call.func, ast.Name | ast.Attribute) else []
    return functions[0] if len(functions) == 1 else None


def last_return(function: ast.AST) -> ast.Return | None:
    """The last statement with which a function gives something back."""
    returns = [node for node in own_nodes(function) if isinstance(node, ast.Return) and node.value]
    return max(returns, key=lambda node: node.lineno, default=None)


def _named(file: str, tree: ast.Module, function: ast.expr) -> list[Function]:
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", None)
    own = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS) and node.name == name]
    source = meant(file, function) if not own else None
    there = syntax_of(source[0]) if source is not None else None
    if there is None or source is None:
        return own
    return [node for node in there.body if isinstance(node, FUNCTIONS) and node.name == source[1]]


def _of_object(file: str, tree: ast.Module, function: ast.expr) -> Iterator[Function]:
    """What is run when an object of a class of the program is called."""
    made = ProgramText(tree, file).written(function)
    if not isinstance(made, ast.Call):
        return
    home = str(vars(made).get("file", file))
    source = meant(home, made.func) or (home, getattr(made.func, "id", ""))
    there = syntax_of(source[0]) or tree
    for node in there.body:
        if isinstance(node, ast.ClassDef) and node.name == source[1]:
            yield from (part for part in node.body if isinstance(part, FUNCTIONS) and part.name in CALLED)
