"""Where a value in a line of the program comes from: the program's text is read, and nothing is run."""

import ast
import functools

from stetho.capture.text.fed import fed_at
from stetho.capture.text.given_back import value_given_back
from stetho.capture.text.returned import last_return, return_of
from stetho.capture.text.syntax import (
    FUNCTIONS,
    calls_at,
    function_around,
    loops_around,
    own_nodes,
    place_of,
    read,
    syntax_of,
)
from stetho.capture.text.values import ProgramText

MOST_HOPS = 4
UNTOUCHED = frozenset(("to", "cuda", "cpu", "float", "double", "long", "clone", "contiguous", "requires_grad_"))
"""Methods that give back the same data."""
CONVERTING = frozenset(("tensor", "as_tensor", "from_numpy", "FloatTensor", "asarray"))
SHAPING = frozenset(("unsqueeze", "view", "reshape", "permute", "transpose", "astype"))
"""What gives back the same values in another form."""


@functools.lru_cache(maxsize=1024)
def loss_made_at(line: str) -> str | None:
    """The line that makes the loss which goes backward at a line: its assignment, or the `return` it comes from.

    >>> loss_made_at("no such file.py:3") is None
    True
    """
    file, tree, number = read(line)
    for call in _calls(tree, number):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "backward":
            name = _root(call.func.value) or next((_root(each) for each in call.args), None)
            made = assignment(tree, name, number) if name is not None else None
            if name is not None and made is not None:
                return return_of(file, tree, _value(made, name)) or f"{file}:{made.lineno}"
    return None


@functools.lru_cache(maxsize=1024)
def input_made_at(line: str) -> str | None:
    """The line that makes what a model is given at a line; None where it comes from a loop or from outside."""
    file, tree, number = read(line)
    calls = [call for call in _calls(tree, number) if call.args and _root(call.args[0]) is not None]
    # The innermost call is that of the model, or of what prepares its input.
    root = _root(calls[-1].args[0]) if calls else None
    return _traced(file, tree, root, number) or fed_at(line, root)


@functools.lru_cache(maxsize=1024)
def last_input_made_at(line: str) -> str | None:
    """Of all that the calls at a line are given first, the line that makes what was made last."""
    file, tree, number = read(line)
    roots = {_root(call.args[0]) for call in _calls(tree, number) if call.args} - {None}
    made = [found for root in roots if (found := _traced(file, tree, root, number)) is not None]
    return max(made, key=lambda place: int(place.rpartition(":")[2])) if made else None


@functools.lru_cache(maxsize=1024)
def target_made_at(line: str) -> str | None:
    """The line that makes what a loss function is given as its target at a line."""
    file, tree, number = read(line)
    calls = [call for call in _calls(tree, number) if len(call.args) > 1 and _root(call.args[1]) is not None]
    root = _root(calls[0].args[1]) if calls else None
    return _traced(file, tree, root, number, once=False) or fed_at(line, root)


@functools.lru_cache(maxsize=1024)
def target_subtracted_at(line: str) -> str | None:
    """The line that makes what answers are compared with, where the loss that goes backward at a line is written out.

    >>> from pathlib import Path
    >>> program = "y = tensor(prices)\\nloss = ((net(x[i]) - y[i]) ** 2).mean()\\nloss.backward()\\n"
    >>> _ = Path("subtracted.py").write_text(program)
    >>> target_subtracted_at("subtracted.py:3"), target_subtracted_at("subtracted.py:1") is None
    ('subtracted.py:1', True)
    """
    made = loss_made_at(line) or ""
    file, tree, number = read(made)
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Sub) and n.lineno == number]
    turns = [loop.lineno for loop in loops_around(tree, number)]
    for side in (part for node in nodes for part in (node.right, node.left)):
        root = _root(side) if isinstance(side, ast.Name | ast.Subscript) else None
        found = assignment(tree, root, number) if root is not None else None
        # What each turn of the loop makes anew are the answers.
        if root is None or (found is not None and turns and found.lineno > turns[-1] and not _is_part(found, root)):
            continue
        return _traced(file, tree, root, number, once=False) or fed_at(made, root)
    return None


def _is_part(found: ast.Assign, name: str) -> bool:
    """Whether a variable is only some rows of another: `yb = y[rows]`."""
    return isinstance(_untouched(_value(found, name)), ast.Subscript)


def variable_made_at(line: str, name: str) -> str | None:
    """The line that makes what a variable is at a line.

    >>> from pathlib import Path
    >>> _ = Path("variable.py").write_text("w = rand(3)\\nw = randn(3)\\nstep([w])\\nw = None\\n")
    >>> variable_made_at("variable.py:3", "w"), variable_made_at("variable.py:3", "v") is None
    ('variable.py:2', True)
    """
    file, tree, number = read(line)
    found = assignment(tree, name, number)
    return f"{file}:{found.lineno}" if found is not None else None


def returned_at(function: object) -> str | None:
    """The last line where a function of the program gives something back."""
    code = getattr(function, "__code__", None)
    tree = syntax_of(code.co_filename) if code is not None else None
    for node in ast.walk(tree) if tree is not None and code is not None else ():
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)]) if isinstance(node, FUNCTIONS) else 0
        if first == getattr(code, "co_firstlineno", None):
            last = last_return(node)
            return f"{code.co_filename}:{last.lineno}" if code is not None and last is not None else None
    return None


def sample_made_at(function: object) -> str | None:
    """Where a function that gives back samples makes the first part of one, or else where it gives it back."""
    line = returned_at(function)
    file, tree, number = read(line or "")
    returns = [n for n in ast.walk(tree) if isinstance(n, ast.Return) and n.lineno == number]
    value = returns[0].value if len(returns) == 1 else None
    first = value.elts[0] if isinstance(value, ast.Tuple) and value.elts else value
    within, found = function_around(tree, number), None
    for _ in range(MOST_HOPS):
        # What only gets another form was made before.
        variable = _unconverted(first) if first is not None else None
        made = assignment(tree, variable.id, number) if isinstance(variable, ast.Name) else None
        if not isinstance(variable, ast.Name) or made is None or function_around(tree, made.lineno) is not within:
            break
        found, number, first = made.lineno, made.lineno, _value(made, variable.id)
    return f"{file}:{found}" if found is not None else line


def _unconverted(value: ast.expr) -> ast.expr:
    """What only gets another form: `torch.as_tensor(x).float().unsqueeze(0)`, `x[None]`."""
    match value:
        case ast.Call(func=ast.Attribute(value=inner, attr=name)) if name in UNTOUCHED | SHAPING:
            return _unconverted(inner)
        case ast.Call(func=ast.Attribute(attr=name), args=[inner, *_]) if name in CONVERTING:
            return _unconverted(inner)
        case ast.Subscript(value=inner, slice=ast.Constant(value=None)):
            return _unconverted(inner)
    return value


def _calls(tree: ast.Module, number: int) -> list[ast.Call]:
    """The calls of the statement at a line, from outside in."""
    return sorted(calls_at(tree, number), key=lambda call: -(call.end_col_offset or 0))


def _root(node: ast.expr) -> str | None:
    """The variable that an expression begins with: `x[rows]`, `loss / 4`, `scaler.scale(loss)`."""
    match node:
        case ast.Name():
            return node.id
        case ast.Subscript():
            return _root(node.value)
        case ast.BinOp():
            return _root(node.left)
        case ast.Call(args=[first, *_]) if isinstance(node.func, ast.Attribute):
            return _root(first)
    return None


def _traced(file: str, tree: ast.Module, name: str | None, number: int, *, once: bool = True) -> str | None:
    """Where a variable is made, or what it is only a part of."""
    made = None
    for _ in range(MOST_HOPS):
        found = assignment(tree, name, number) if name is not None else None
        if name is not None and found is None:
            given = ProgramText(tree, file).handed_over(name, number)
            if isinstance(given, ast.Name):
                # A parameter: it is made before the one call that hands it over.
                file, _, _ = place_of(given, file).rpartition(":")
                tree, name, number = syntax_of(file) or tree, given.id, given.lineno
                found = assignment(tree, name, number)
        if found is None or name is None:
            break
        made, number = place_of(found, file), found.lineno
        value = _untouched(_value(found, name))
        given_back = value_given_back(tree, found, name, once=once)
        if given_back is not None:
            # A function of the program makes it: there it is followed like a variable.
            made, number, value = place_of(given_back, file), given_back.lineno, _untouched(given_back)
            tree = syntax_of(made.rpartition(":")[0]) or tree
            name = ""
        if isinstance(value, ast.Name):
            # Only brought elsewhere, or called by another name: it was made before, or comes from the loop.
            made, name = (None if value.id == name else made), value.id
            continue
        source = _root(value) if isinstance(value, ast.Subscript) else None
        # What is put in another order is made there: that is more than to take a part.
        name = source if source != name else None
    return made


def _untouched(value: ast.expr) -> ast.expr:
    """What `x.to(device).float()` is called on."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in UNTOUCHED:
        value = value.func.value
    return value


def _value(found: ast.Assign, name: str) -> ast.expr:
    """What a variable becomes in an assignment, also where several are assigned at once."""
    target = found.targets[0]
    if isinstance(target, ast.Tuple) and isinstance(found.value, ast.Tuple):
        for part, value in zip(target.elts, found.value.elts, strict=False):
            if isinstance(part, ast.Name) and part.id == name:
                return value
    return found.value


def assignment(tree: ast.Module, name: str, number: int) -> ast.Assign | None:
    """The last assignment to a variable before a line, in the same function or else in the module."""
    function = function_around(tree, number)
    scopes: list[ast.AST] = [tree] if function is None else [function, tree]
    for scope in scopes:
        found = [n for n in own_nodes(scope) if isinstance(n, ast.Assign) and n.lineno < number and _sets(n, name)]
        if found:
            return max(found, key=lambda node: node.lineno)
        if isinstance(scope, FUNCTIONS) and name in {each.arg for each in scope.args.args}:
            return None
    return None


def _sets(node: ast.Assign, name: str) -> bool:
    parts = [part for target in node.targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])]
    return any(isinstance(part, ast.Name) and part.id == name for part in parts)
