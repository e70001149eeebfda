"""Where a program reorders the rows of one array, or drops some, and leaves an array that goes with it as it was.

Arrays go together that are put into one data set, or whose rows are taken by the same index in one statement, or in two
that stand below each other. Each is followed back to where it is made; what reorders one of them and not the other is
what is looked for.
"""

import ast
import copy
import functools
from collections.abc import Iterator
from itertools import pairwise

from stetho.capture.text.rows import (
    REORDERING,
    Reorder,
    cut_to_another,
    given,
    gives_order,
    is_choice,
    of_statement,
    sets_seed,
    shuffled,
    shuffled_by_itself,
    source,
)
from stetho.capture.text.sampled import reordered_in
from stetho.capture.text.syntax import FUNCTIONS, Function, called_name, own_nodes, read, roots_of

JOINING = ("TensorDataset", "zip", "train_test_split")
LABELS = frozenset(("y", "label", "labels", "target", "targets", "answers"))
MOST_HOPS = 8


@functools.lru_cache(maxsize=64)
def reordered_at(file: str) -> str | None:
    """The line that reorders only one of several arrays which go together; None where there is none, or several.

    >>> from pathlib import Path
    >>> program = "order = argsort(t)\\nx = x[order]\\nfor rows in parts:\\n    loss = mse(model(x[rows]), y[rows])\\n"
    >>> _ = Path("apart.py").write_text(program)
    >>> _ = Path("joint.py").write_text(program.replace("x = x[order]", "x, y = x[order], y[order]"))
    >>> reordered_at("apart.py"), reordered_at("joint.py") is None
    ('apart.py:2', True)
    """
    _, tree, _ = read(f"{file}:1")
    found = {line for scope in _scopes(tree) for line in _lost(scope)}
    found |= {line for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for line in reordered_in(node)}
    return f"{file}:{min(found)}" if len(found) == 1 else None


@functools.lru_cache(maxsize=64)
def shuffled_apart_at(file: str) -> str | None:
    """The line that shuffles an array by itself, beside one that does so to an array which goes with it.

    Both draw an order of their own and keep it under the old name: there is no other way to read that.

    >>> from pathlib import Path
    >>> program = "x = x[randperm(9)]\\ny = y[randperm(9)]\\n"
    >>> program += "for k in range(9):\\n    loss = mse(model(x[k]), y[k])\\n"
    >>> _ = Path("twice.py").write_text(program)
    >>> _ = Path("once.py").write_text(program.replace("x = x[randperm(9)]", "x = x[::2]"))
    >>> shuffled_apart_at("twice.py"), shuffled_apart_at("once.py") is None
    ('twice.py:2', True)
    """
    _, tree, _ = read(f"{file}:1")
    found = {line for scope in _scopes(tree) for line in scope.shuffled_apart()}
    return f"{file}:{min(found)}" if found else None


def _scopes(tree: ast.Module) -> "list[_Scope]":
    """The program and its functions, in which what an object keeps is a name like any other: `self.x` is one array."""
    plain = _PlainNames().visit(copy.deepcopy(tree))
    functions = [node for node in ast.walk(plain) if isinstance(node, FUNCTIONS)]
    return [_Scope(_statements(plain)), *(_Scope(_seen_from(plain, each)) for each in functions)]


def _statements(scope: ast.AST) -> list[ast.stmt]:
    return [node for node in own_nodes(scope) if isinstance(node, ast.stmt)]


def _seen_from(program: ast.Module, function: Function) -> list[ast.stmt]:
    """The statements of a function, and what the program does to arrays that the function finds outside of itself."""
    inside = _statements(function)
    named = function.args
    own = {each.arg for each in (*named.posonlyargs, *named.args, *named.kwonlyargs)}
    own |= {node.id for each in inside for node in ast.walk(each) if _is_set(node) and isinstance(node, ast.Name)}
    return inside + [each for each in _statements(program) if not hasattr(each, "body") and not roots_of(each) & own]


def _is_set(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Store)


class _PlainNames(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            return ast.copy_location(ast.Name(f"self.{node.attr}", node.ctx), node)
        return self.generic_visit(node)


def _lost(scope: "_Scope") -> Iterator[int]:
    for line, names in scope.together():
        orders = {name: dict(scope.orders(name, line)) for name in names}
        shared = set.intersection(*(set(each) for each in orders.values()))
        own = {key: place for each in orders.values() for key, place in each.items() if key not in shared}
        if own:
            # Of several orders the last one is what does not fit.
            yield max(own.values())


class _Scope:
    """The statements of a module, or those that count in a function."""

    def __init__(self, statements: list[ast.stmt]) -> None:
        self._statements = sorted(statements, key=lambda node: node.lineno)
        self._values = {name: value for node in self._statements for name, value in given(node)}

    def together(self) -> Iterator[tuple[int, set[str]]]:
        """Names of arrays that go together, and the line that says so."""
        before: tuple[ast.stmt, dict[str, set[str]]] | None = None
        changing: set[str] = set()
        for statement in self._statements:
            by_index: dict[str, set[str]] = {}
            for node in of_statement(statement):
                names = self._joined(node)
                if len(names) > 1:
                    yield statement.lineno, names
                if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
                    by_index.setdefault(index := ast.unparse(node.slice), set()).add(node.value.id)
                    # The same number, or the same key, may mean anything; a variable means the same rows.
                    changing |= {index} if roots_of(node.slice) else set()
            # Where the rows are put in order, nothing is said of what else goes with them.
            if any(True for _ in self._reorders(statement)):
                before = None
                continue
            yield from ((statement.lineno, names) for names in by_index.values() if len(names) > 1)
            if before is not None and _follows(before[0], statement):
                for index in before[1].keys() & by_index.keys() & changing:
                    yield statement.lineno, before[1][index] | by_index[index]
            before = statement, by_index

    def shuffled_apart(self) -> Iterator[int]:
        """Lines that shuffle an array which goes with another one, that was shuffled by itself before."""
        shuffles = [(name, each.lineno) for each in self._statements for name in shuffled_by_itself(each)]
        pairs = [(line, names) for line, names in self.together() if len(names) > 1]
        for (one, first), (other, second) in pairwise(shuffles):
            between = [each for each in self._statements if first <= each.lineno <= second]
            is_joined = any({one, other} <= names and line > second for line, names in pairs)
            if one != other and is_joined and not any(map(sets_seed, between)):
                yield second

    def _joined(self, node: ast.AST) -> set[str]:
        """Arrays that are put into one data set, or have the same done to them: `[a[:9] for a in (x, y)]`."""
        parts: list[ast.expr] = []
        if isinstance(node, ast.Call) and called_name(node) in JOINING:
            parts = node.args
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
            # Two that a function gives back go together if they are inputs and labels: two splits do not.
            parts = node.value.elts if _is_labelled(node.value) else []
        elif isinstance(node, ast.comprehension) and isinstance(node.iter, ast.Tuple | ast.List):
            parts = node.iter.elts
        return {name for part in parts for name in source(part)[-1:]}

    def orders(self, name: str, line: int, hops: int = MOST_HOPS) -> Iterator[Reorder]:
        """The orders that an array was put into before a line, with the lines that did so."""
        made = [each for each in self._statements if each.lineno < line and name in dict(given(each))]
        since = made[-1].lineno if made else 0
        for statement in self._statements:
            if since < statement.lineno < line:
                yield from shuffled(statement, name)
        if not made or not hops:
            return
        value = dict(given(made[-1]))[name]
        order = self._order(value)
        if order is not None:
            yield order, made[-1].lineno
        for each in source(value):
            yield from self.orders(each, made[-1].lineno, hops - 1)

    def _reorders(self, statement: ast.stmt) -> Iterator[str]:
        yield from (name for name, value in given(statement) if self._order(value) is not None)

    def _order(self, value: ast.expr) -> str | None:
        """The order that an expression puts its rows in: the name of a permutation, or the place of a call."""
        for node in ast.walk(value):
            if isinstance(node, ast.Call) and called_name(node) in REORDERING and source(node):
                return _once(node)
            taken = [node.slice] if isinstance(node, ast.Subscript) else []
            # A list of rows in an order: `[x[i] for i in order]`.
            taken += [node.generators[0].iter] if isinstance(node, ast.ListComp) else []
            for index in taken:
                if gives_order(index) or cut_to_another(index, _taken_from(node)):
                    return f"order:{index.lineno}:{index.col_offset}"
                if is_choice(index):
                    return ast.unparse(index)
                named = [name for name in source(index) if name in self._values]
                if named and (gives_order(self._values[named[0]]) or is_choice(self._values[named[0]])):
                    return named[0]
        return None


def _is_labelled(given: ast.Tuple) -> bool:
    """Whether two arrays are given back of which one is called labels."""
    names = [source(each)[-1:] for each in given.elts]
    called = [LABELS & set(name[0].lower().split("_")) for name in names if name]
    return len(names) == len(called) == 2 and bool(called[0]) != bool(called[1])


def _follows(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether a statement stands right below another: `a = x[i:j]`, and then `b = y[i:j]`."""
    is_plain = isinstance(one, ast.Assign) and isinstance(other, ast.Assign)
    return is_plain and one.col_offset == other.col_offset and other.lineno == (one.end_lineno or one.lineno) + 1


def _once(call: ast.Call) -> str:
    """A name for the order that a call puts rows in: two calls differ, unless both are seeded with the same number."""
    seeds = [each.value for each in call.keywords if each.arg in ("random_state", "seed", "generator")]
    return f"{called_name(call)}:" + (ast.unparse(seeds[0]) if seeds else f"{call.lineno}:{call.col_offset}")


def _taken_from(node: ast.AST) -> list[str]:
    return source(node) if isinstance(node, ast.expr) else []
