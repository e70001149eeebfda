"""Lines of a program that change tensors in place."""

import ast
import re
from collections.abc import Collection, Iterator

from stetho.capture.frames import text_of
from stetho.capture.text.syntax import syntax_of
from stetho.explaining.scene import Made

_METHOD = re.compile(r"^[a-z]\w*[a-z0-9]_$")
_HARMLESS = re.compile(r"^(requires_grad|zero_grad|zero|normal|uniform|xavier_\w+|kaiming_\w+|share_memory)_$")
"""Set-up rather than computation."""

_OPERATORS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Pow: "pow"}
"""What autograd calls the operations that are written as signs."""


def in_place_lines(file: str, tensors: Collection[str] = ()) -> Iterator[Made]:
    """The statements of a file that change a tensor in place, as far as its text and the names of `tensors` tell."""
    tree = syntax_of(file)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.stmt) and (changes_in_place(node) or _adds_to(node, tensors)):
            yield Made(f"{file}:{node.lineno}", text_of(node))


def lines_changing_results(file: str, operation: str) -> Iterator[Made]:
    """The statements that change in place what the file got from an operation, as autograd calls it: Tanh, Div."""
    tree = syntax_of(file)
    for scope in _scopes(tree) if tree is not None else ():
        statements = list(_statements(scope))
        results = {name for each in statements for name in _results(each, operation.lower())} - {""}
        for each in statements:
            if _changed(each) in results and (changes_in_place(each) or isinstance(each, ast.AugAssign)):
                yield Made(f"{file}:{each.lineno}", text_of(each))


def _scopes(tree: ast.Module) -> Iterator[ast.AST]:
    yield tree
    yield from (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))


def _statements(scope: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a scope, in their order, without those of scopes inside of it."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if isinstance(child, ast.stmt):
                yield child
            yield from _statements(child)


def _results(statement: ast.stmt, operation: str) -> Iterator[str]:
    """The names that hold the result of an operation after a statement."""
    if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if _operation(statement.value) == operation:
            yield from (each.id for each in targets if isinstance(each, ast.Name))
    elif isinstance(statement, ast.Expr) and _operation(statement.value) == operation:
        yield _changed(statement)
    elif isinstance(statement, ast.AugAssign) and _OPERATORS.get(type(statement.op)) == operation:
        yield _base(statement.target)


def _operation(value: ast.expr) -> str:
    """What autograd would call the outermost operation of an expression, in small letters and without underscores."""
    if isinstance(value, ast.BinOp):
        return _OPERATORS.get(type(value.op), "")
    called = value.func if isinstance(value, ast.Call) else None
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    return name.replace("_", "").lower()


def _changed(statement: ast.stmt) -> str:
    """The name whose tensor a statement changes in place, if it changes one."""
    match statement:
        case ast.AugAssign(target=target) | ast.Assign(targets=[ast.Subscript() as target]):
            return _base(target)
        case (
            ast.Assign(value=ast.Call(func=ast.Attribute() as called))
            | ast.Expr(value=ast.Call(func=ast.Attribute() as called))
        ) if _METHOD.match(called.attr):
            return _base(called.value)
    return ""


def _base(target: ast.expr) -> str:
    """The variable behind elements of it: `x` of `x[0][1:]`."""
    while isinstance(target, ast.Subscript):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""


def _adds_to(statement: ast.stmt, tensors: Collection[str]) -> bool:
    """Whether it is `x += 1`, which mostly counts something, and x is a tensor."""
    return (
        isinstance(statement, ast.AugAssign)
        and isinstance(statement.target, ast.Name)
        and statement.target.id in tensors
    )


def changes_in_place(statement: ast.stmt) -> bool:
    """Whether a statement is `x += …`, `x[…] = …` or calls a method with an underscore at its end.

    >>> [changes_in_place(ast.parse(code).body[0]) for code in ("x += y", "x[0] = 1", "y = x.relu_()", "x = x + 1")]
    [True, True, True, False]
    """
    match statement:
        case ast.AugAssign():
            return not isinstance(statement.value, ast.Constant)
        case ast.Assign(targets=[ast.Subscript()]):
            return True
        case ast.Assign() | ast.Expr() | ast.Return() if statement.value is not None:
            calls = (each.func for each in ast.walk(statement.value) if isinstance(each, ast.Call))
            names = (each.attr for each in calls if isinstance(each, ast.Attribute) and not _is_of_init(each.value))
            return any(_METHOD.match(name) and not _HARMLESS.match(name) for name in names)
    return False


def _is_of_init(owner: ast.expr) -> bool:
    """Whether it is torch.nn.init, whose functions set parameters up."""
    return (
        owner.attr if isinstance(owner, ast.Attribute) else owner.id if isinstance(owner, ast.Name) else ""
    ) == "init"
