"""Where a variable at the place of an error came from: the user's line that made it, followed through the calls."""

import ast
from collections.abc import Iterator, Sequence

from stetho.capture.frames import Place, text_of
from stetho.capture.text.syntax import syntax_of
from stetho.explaining.scene import Made

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
PASSED_ON = ("_call_impl", "_wrapped_call_impl", "inner")
"""Functions of torch between the call of a module and its `forward`, which hand their arguments on."""

DEEPEST = 12


def origin(places: Sequence[Place], index: int, name: str, depth: int = 0) -> Made | None:
    """The line that last gave `name` its value in frame `index`, or in the frame that handed it over."""
    place = places[index]
    if place.is_user:
        statement = last_binding(place, name)
        if statement is not None:
            return Made(f"{place.file}:{statement.lineno}", _headline(statement))
    if name not in place.parameters or depth > DEEPEST:
        return None
    caller, number = index - 1, argument_number(place, name)
    while caller >= 0 and places[caller].function in PASSED_ON:
        if _was_another(places[caller], number, place.frame.f_locals.get(name)):
            return None
        caller -= 1
    return _handed_over(places, caller, number, name, depth) if caller >= 0 else None


def _was_another(place: Place, number: int, value: object) -> bool:
    """Whether what was passed on is no longer what the name stands for, as in a chain after its first layer."""
    given = place.frame.f_locals.get("args")
    return isinstance(given, tuple) and 0 <= number < len(given) and given[number] is not value


def _handed_over(places: Sequence[Place], caller: int, number: int, name: str, depth: int) -> Made | None:
    place = places[caller]
    call = place.node()
    if not isinstance(call, ast.Call):
        return None
    argument = _argument(call, number, name)
    if isinstance(argument, ast.Name):
        return origin(places, caller, argument.id, depth + 1)
    if argument is None or not place.is_user:
        return None
    return Made(f"{place.file}:{argument.lineno}", text_of(argument))


def argument_number(place: Place, name: str) -> int:
    """The position of a parameter among the arguments of a call, not counting `self`."""
    parameters = place.parameters
    return parameters.index(name) - (parameters[:1] == ("self",)) if name in parameters else -1


def _argument(call: ast.Call, number: int, name: str) -> ast.expr | None:
    named = next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
    if named is not None:
        return named
    plain = not any(isinstance(each, ast.Starred) for each in call.args[: number + 1])
    return call.args[number] if plain and 0 <= number < len(call.args) else None


def argument_text(call: ast.AST | None, number: int, name: str) -> str | None:
    """How the caller writes the argument, when it is short enough to serve as a name."""
    argument = _argument(call, number, name) if isinstance(call, ast.Call) else None
    text = text_of(argument) if argument is not None else None
    return text if text is not None and len(text) <= 40 else None


def last_binding(place: Place, name: str) -> ast.stmt | None:
    """The statement above the frame's line that last bound a name in the frame's own scope."""
    tree = syntax_of(place.file)
    scope = _scope(tree, place) if tree is not None else None
    if scope is None:
        return None
    before = [each for each in _statements(scope) if each.lineno < place.line and name in _bound(each)]
    return max(before, key=lambda each: each.lineno, default=None)


def _scope(tree: ast.Module, place: Place) -> ast.AST | None:
    if place.function == "<module>":
        return tree
    inside = [
        each
        for each in ast.walk(tree)
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
        and each.name == place.function
        and each.lineno <= place.line <= (each.end_lineno or 0)
    ]
    return max(inside, key=lambda each: each.lineno, default=None)


def _statements(scope: ast.AST) -> Iterator[ast.stmt]:
    for child in ast.iter_child_nodes(scope):
        if isinstance(child, _SCOPES):
            continue
        if isinstance(child, ast.stmt):
            yield child
        yield from _statements(child)


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement itself gives a value to."""
    match statement:
        case ast.Assign():
            targets: list[ast.expr] = statement.targets
        case ast.AnnAssign() | ast.AugAssign() | ast.For() | ast.AsyncFor():
            targets = [statement.target]
        case ast.With() | ast.AsyncWith():
            targets = [item.optional_vars for item in statement.items if item.optional_vars is not None]
        case _:
            return set()
    parts = (each for target in targets for each in ast.walk(target))
    return {each.id for each in parts if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def _headline(statement: ast.stmt) -> str:
    """The statement, without the body of a loop."""
    if isinstance(statement, ast.For | ast.AsyncFor):
        return f"for {text_of(statement.target)} in {text_of(statement.iter)}"
    if isinstance(statement, ast.With | ast.AsyncWith):
        return "with " + ", ".join(text_of(item) for item in statement.items)
    return text_of(statement)
