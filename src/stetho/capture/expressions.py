"""What an expression of the user's is made of, and what its parts stand for: looked up, never evaluated.

Only names, plain attributes and plain containers are followed, so that no property, no `__getattr__` and no other code
of the program runs.
"""

import ast
from collections.abc import Iterator

from stetho.capture.frames import Place

MISSING = object()
_CONTAINERS = (list, tuple)
_REGISTRIES = ("_parameters", "_buffers", "_modules")
"""Where modules of torch keep what looks like plain attributes."""


def operands_of(node: ast.AST) -> list[ast.expr]:
    """The expressions that an operation works on: both sides, receiver and arguments, the indexed and the index.

    >>> [ast.unparse(each) for each in operands_of(ast.parse("x.view(a, -1)", mode="eval").body)]
    ['x', 'a', '-1']
    """
    match node:
        case ast.BinOp():
            return [node.left, node.right]
        case ast.Compare():
            return [node.left, *node.comparators]
        case ast.Call():
            receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
            return [*receiver, *node.args, *(keyword.value for keyword in node.keywords)]
        case ast.Subscript():
            index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return [node.value, *index]
        case ast.AugAssign():
            return [node.target, node.value]
        case ast.Assign():
            return [*_parts(node.targets[0]), *operands_of(node.value)]
        case ast.UnaryOp():
            return [node.operand]
        case ast.BoolOp():
            return list(node.values)
        case ast.If() | ast.While() | ast.Assert():
            return operands_of(node.test)
        case ast.Return() | ast.Expr() if node.value is not None:
            return operands_of(node.value)
        case ast.Name() | ast.Attribute():
            return [node]
    return []


def _parts(target: ast.expr) -> list[ast.expr]:
    return [target.value] if isinstance(target, ast.Subscript) else []


def flattened(nodes: list[ast.expr]) -> Iterator[ast.expr]:
    """The expressions, with lists and tuples taken apart.

    >>> [ast.unparse(each) for each in flattened([ast.parse("[a, (b, c)]", mode="eval").body])]
    ['a', 'b', 'c']
    """
    for node in nodes:
        if isinstance(node, ast.List | ast.Tuple):
            yield from flattened(node.elts)
        elif isinstance(node, ast.Starred):
            yield node.value
        else:
            yield node


def value_of(node: ast.expr, place: Place) -> object:
    """What a name, attribute or element stands for in a frame; MISSING when finding out would run code."""
    if isinstance(node, ast.Name):
        frame = place.frame
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id, MISSING))
    if isinstance(node, ast.Attribute):
        return plain_attribute(value_of(node.value, place), node.attr)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return _element(value_of(node.value, place), node.slice.value)
    return MISSING


def plain_attribute(owner: object, name: str) -> object:
    """An attribute that lies in the object itself, or in the registries of a module.

    >>> import argparse
    >>> plain_attribute(argparse.Namespace(lr=0.1), "lr")
    0.1
    """
    try:
        own = object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return MISSING
    if type(own) is not dict:
        return MISSING
    for holder in (own, *(own.get(registry) for registry in _REGISTRIES)):
        if isinstance(holder, dict) and name in holder:
            return holder[name]
    return MISSING


def _element(container: object, key: object) -> object:
    if type(container) is dict and isinstance(key, str | int):
        return container.get(key, MISSING)
    if type(container) in _CONTAINERS and isinstance(key, int) and -len(container) <= key < len(container):  # type: ignore[arg-type]
        return container[key]  # type: ignore[index]
    return MISSING
