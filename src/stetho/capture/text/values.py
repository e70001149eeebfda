"""Follows values through the text of a program, from where they are used back to where they are written.

Nothing is run. What cannot be followed further is said to be written where it was last seen, so that a line is never a
guess.
"""

import ast
import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

from stetho.capture.text.given_back import value_given_back
from stetho.capture.text.modules import calls_elsewhere, meant, mentioning, nodes_of
from stetho.capture.text.syntax import FUNCTIONS, Function, called_name, calls_at, is_at, own_nodes, roots_of, syntax_of

MOST_HOPS = 8
CONVERSIONS = ("float", "int")
Block = TypeVar("Block", ast.FunctionDef | ast.AsyncFunctionDef, ast.ClassDef)


class ProgramText:
    """One file of the program, in which values are followed.

    >>> text = ProgramText(ast.parse("RATE = 0.1\\noptimizer = SGD(weights, lr=RATE)"))
    >>> [text.written(value).lineno for value in text.arguments(2, "lr", "SGD", 1)]
    [1]
    """

    def __init__(self, tree: ast.Module, file: str = "") -> None:
        """With a `file`, values are followed into other files of the program; `place_of` tells where they ended."""
        self._tree = tree
        self._file = file
        self._all = list(ast.walk(tree))

    def arguments(self, number: int, name: str, callee: str, position: int | None) -> list[ast.expr]:
        """What is given to an argument in the statement at a line, be it by a dictionary for a group or for `**`."""
        calls = calls_at(self._tree, number)
        fitting = [call for call in calls if callee and called_name(call) == callee]
        given = [value for call in fitting if (value := _argument(call, name, position)) is not None]
        return given or [value for call in calls if (value := self._named(call, name)) is not None]

    def _named(self, call: ast.Call, name: str) -> ast.expr | None:
        spread = [self.written(each.value) for each in call.keywords if each.arg is None]
        groups = [n for n in ast.walk(call) if isinstance(n, ast.Dict)]
        entries = (_entry(each, name) for each in (*groups, *spread))
        named = (each.value for each in call.keywords if each.arg == name)
        return next(named, None) or next((each for each in entries if each is not None), None)

    def written(self, value: ast.expr, hops: int = MOST_HOPS) -> ast.expr:
        """The expression that a value comes from, as far as it is only handed on."""
        home = self._home(value)
        before = home._before(value) if hops else None
        return home.written(before, hops - 1) if before is not None else value

    def _home(self, value: ast.expr) -> "ProgramText":
        file = vars(value).get("file", self._file) if self._file else ""
        tree = syntax_of(file) if file != self._file else None
        return ProgramText(tree, file) if tree is not None else self

    def given_back(self, call: ast.expr, name: str) -> ast.expr | None:
        """What a function that is called at one place gives back to a variable: `x, y = load()`."""
        home = self._home(call)
        found = next((n for n in home._all if isinstance(n, ast.Assign) and n.value is call), None)
        return value_given_back(home._tree, found, name, once=True) if found is not None else None

    def handed_over(self, name: str, number: int) -> ast.expr | None:
        """What the one caller of the function around a line gives to a parameter that the function leaves alone."""
        function = self._function_around(number)
        if function is None or name not in _parameters(function) or _assigned(function, name):
            return None
        return self._handed_over(function, name)

    def _before(self, value: ast.expr) -> ast.expr | None:
        match value:
            case ast.Name():
                return self._variable(value)
            case ast.Attribute(value=ast.Name(id="self")):
                return self._own(value) or self._setting(value.attr)
            case ast.Attribute():
                return self._imported(value) or self._setting(value.attr)
            case ast.Subscript(slice=ast.Constant(value=str(key))):
                return self._entry_of(value.value, key)
            case ast.Call(func=ast.Name(id=name), args=[only], keywords=[]) if name in CONVERSIONS:
                return only
        return None

    def _variable(self, name: ast.Name) -> ast.expr | None:
        function = self._function_around(name.lineno)
        if function is not None:
            own = [each for each in _assigned(function, name.id) if each.lineno < name.lineno]
            if own:
                return own[-1]
            if (values := _gone_through(function, name.id)) is not None:
                source = _one_variable(values)
                return source if source is not None and source.id in _parameters(function) else None
            if name.id in _parameters(function):
                return self._handed_over(function, name.id)
        # A function may be written above the constant that it uses when it is called.
        constants = [
            each for each in _assigned(self._tree, name.id) if function is not None or each.lineno < name.lineno
        ]
        if not constants:
            return self._imported(name)
        return constants[-1] if function is None or len(constants) == 1 else None

    def _imported(self, name: ast.expr) -> ast.expr | None:
        """What another file of the program gives, once, to a variable that is imported from it."""
        source = meant(self._file, name) if self._file else None
        tree = syntax_of(source[0]) if source is not None else None
        values = _assigned(tree, source[1]) if tree is not None and source is not None else []
        return values[0] if len(values) == 1 else None

    def _own(self, attribute: ast.Attribute) -> ast.expr | None:
        """What an object gives to its own attribute."""
        around = self._class_around(attribute.lineno)
        targets = [
            (node, target)
            for node in (ast.walk(around) if around is not None else ())
            if isinstance(node, ast.Assign)
            for target in node.targets
        ]
        values = [node.value for node, target in targets if _is_own(target, attribute.attr)]
        values += _registered(around, attribute.attr) if around is not None else []
        return values[0] if len(values) == 1 and values[0] is not attribute else None

    def _handed_over(self, function: Function, name: str) -> ast.expr | None:
        """What the one caller of a function gives to a parameter, or else its default."""
        holder = self._class_around(function.lineno)
        names = _parameters(function)
        is_method = names[:1] in (["self"], ["cls"])
        if is_method and name == names[0]:
            return None  # The object itself is handed over by nobody.
        called = holder.name if holder is not None and function.name == "__init__" else function.name
        position = names.index(name) - is_method if name in [each.arg for each in function.args.args] else None
        calls = [node for node in self._all if isinstance(node, ast.Call) and called_name(node) == called]
        calls += calls_elsewhere(self._file, called) if self._file else []
        given = [value for call in calls if (value := _argument(call, name, position)) is not None]
        if len(given) == 1:
            return given[0]
        return _default(function, name) if not given else None

    def _setting(self, name: str) -> ast.expr | None:
        """A setting of that name: handed to the one that holds the settings, or the default of a field or an option."""
        nodes = self._all
        found = [*_keywords(nodes, name)] or [*_fields(nodes, name)] or [*_options(nodes, name)]
        if not found and self._file:
            nodes = [each for other in mentioning(self._file, name) for each in nodes_of(other)]
            found = [*_keywords(nodes, name)] or [*_fields(nodes, name)] or [*_options(nodes, name)]
        return found[0] if len(found) == 1 else None

    def _entry_of(self, holder: ast.expr, key: str) -> ast.expr | None:
        """What a dictionary of settings has under a key; of one that is not found, the only entry of that name."""
        entry = _entry(self.written(holder), key)
        if entry is not None:
            return entry
        entries = [each for node in self._all if (each := _entry(node, key)) is not None]
        return entries[0] if len(entries) == 1 else None

    def _function_around(self, number: int) -> Function | None:
        return _innermost([node for node in self._all if isinstance(node, FUNCTIONS)], number)

    def _class_around(self, number: int) -> ast.ClassDef | None:
        return _innermost([node for node in self._all if isinstance(node, ast.ClassDef)], number)


def _innermost(blocks: Sequence[Block], number: int) -> Block | None:
    around = [node for node in blocks if is_at(node, number)]
    return max(around, key=lambda node: node.lineno, default=None)


def _argument(call: ast.Call, name: str, position: int | None) -> ast.expr | None:
    named = next((each.value for each in call.keywords if each.arg == name), None)
    if named is not None or position is None or position >= len(call.args):
        return named
    is_plain = not any(isinstance(each, ast.Starred) for each in call.args[: position + 1])
    return call.args[position] if is_plain else None


def _parameters(function: Function) -> list[str]:
    return [each.arg for each in (*function.args.args, *function.args.kwonlyargs)]


def _default(function: Function, name: str) -> ast.expr | None:
    plain, defaults = function.args.args, function.args.defaults
    pairs = [*zip(plain[len(plain) - len(defaults) :], defaults, strict=True)]
    pairs += [(a, d) for a, d in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True) if d is not None]
    return next((value for argument, value in pairs if argument.arg == name), None)


def _assigned(scope: ast.AST, name: str) -> list[ast.expr]:
    """All that a scope gives to a variable, in the order of the text."""
    found = []
    for node in own_nodes(scope):
        if isinstance(node, ast.AnnAssign) and node.value is not None and getattr(node.target, "id", None) == name:
            found.append(node.value)
        elif isinstance(node, ast.Assign):
            found += [value for target in node.targets for value in _part(target, node.value, name)]
    return sorted(found, key=lambda value: value.lineno)


def _gone_through(scope: ast.AST, name: str) -> ast.expr | None:
    """What a loop in a scope goes through to give a variable its values."""
    loops = (node for node in own_nodes(scope) if isinstance(node, ast.For | ast.comprehension))
    return next((loop.iter for loop in loops if name in roots_of(loop.target)), None)


def _one_variable(values: ast.expr) -> ast.Name | None:
    """The variable that an expression is made of, if there is one: `sizes` in `zip(sizes[:-1], sizes[1:])`."""
    called = {id(node.func) for node in ast.walk(values) if isinstance(node, ast.Call)}
    found = [node for node in ast.walk(values) if isinstance(node, ast.Name) and id(node) not in called]
    return found[0] if len({node.id for node in found}) == 1 else None


def _part(target: ast.expr, value: ast.expr, name: str) -> Iterator[ast.expr]:
    if isinstance(target, ast.Name) and target.id == name:
        yield value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for each, part in zip(target.elts, value.elts, strict=True):
            yield from _part(each, part, name)
    elif isinstance(target, ast.Tuple) and any(getattr(each, "id", None) == name for each in target.elts):
        # One of several that a function gives back together.
        yield value


def _is_own(target: ast.expr, name: str) -> bool:
    match target:
        case ast.Attribute(value=ast.Name(id="self"), attr=attr):
            return attr == name
    return False


def _registered(holder: ast.ClassDef, name: str) -> list[ast.expr]:
    """What an object registers as a buffer or parameter of that name."""
    calls = [n for n in ast.walk(holder) if isinstance(n, ast.Call) and called_name(n).startswith("register_")]
    return [call.args[1] for call in calls if len(call.args) > 1 and getattr(call.args[0], "value", None) == name]


def _entry(node: ast.AST, key: str) -> ast.expr | None:
    """What a dictionary, written with braces or as `dict(…)`, has under a key."""
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return next((v for k, v in pairs if isinstance(k, ast.Constant) and k.value == key), None)
    if isinstance(node, ast.Call) and called_name(node) == "dict":
        return next((each.value for each in node.keywords if each.arg == key), None)
    return None


def _keywords(nodes: list[ast.AST], name: str) -> Iterator[ast.expr]:
    """Settings that are handed over where the object that holds them is made: `Config(lr=0.1)`."""
    holders = {node.name for node in nodes if isinstance(node, ast.ClassDef)} | {"SimpleNamespace", "Namespace"}
    for node in nodes:
        if isinstance(node, ast.Call) and called_name(node) in holders:
            yield from (each.value for each in node.keywords if each.arg == name)


def _fields(nodes: list[ast.AST], name: str) -> Iterator[ast.expr]:
    """Fields of classes with a value: `lr: float = 0.1`."""
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            yield from _assigned(node, name)


def _options(nodes: list[ast.AST], name: str) -> Iterator[ast.expr]:
    """Defaults of options that the command line leaves alone: `add_argument("--lr", default=0.1)`."""
    typed = {word.partition("=")[0] for word in sys.argv}
    for node in nodes:
        if isinstance(node, ast.Call) and called_name(node) == "add_argument":
            words = {str(each.value) for each in node.args if isinstance(each, ast.Constant)}
            if name in {word.lstrip("-").replace("-", "_") for word in words} and not words & typed:
                yield from (each.value for each in node.keywords if each.arg == "default")
