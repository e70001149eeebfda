"""Where a data set puts one of the lists that it takes samples from in order, and leaves the others as they come.

`self.files = sorted(folder.glob("*.png"))` beside labels as a table lists them: text is not sorted as numbers are.
"""

import ast
from collections.abc import Iterator

from stetho.capture.text.syntax import FUNCTIONS, Function, called_name, own_nodes

ORDERING = ("sorted", "argsort", "permutation", "randperm", "shuffle")


def reordered_in(made: ast.ClassDef) -> Iterator[int]:
    """The lines of `__init__` that put only one of the lists in order which `__getitem__` takes by the same index.

    Lists of which one is made of the other are in one order, and so may be lists that are all put in order.

    >>> text = "class Scans:\\n def __init__(self, a, b):\\n  self.a = sorted(a)\\n  self.b = list(b)\\n"
    >>> text += " def __getitem__(self, i):\\n  return self.a[i], self.b[i]\\n"
    >>> list(reordered_in(ast.parse(text).body[0]))
    [3]
    >>> list(reordered_in(ast.parse(text.replace("list(b)", "sorted(b)")).body[0]))
    []
    """
    methods = {node.name: node for node in made.body if isinstance(node, FUNCTIONS)}
    making, taking = methods.get("__init__"), methods.get("__getitem__")
    if making is None or taking is None or len(taking.args.args) != 2:
        return
    values = dict(_set(making))
    together = _taken(taking) & values.keys()
    ordered = {name for name in together if _orders(values[name])}
    if len(ordered) != 1 or len(together) < 2:
        return
    others = [values[name] for name in together - ordered]
    own = ordered.pop()
    if not any(own in _mentioned(making, value) for value in others):
        yield values[own].lineno


def _set(making: Function) -> Iterator[tuple[str, ast.expr]]:
    """What `__init__` keeps, by name."""
    for node in own_nodes(making):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Attribute) and getattr(target.value, "id", None) == "self":
                    yield target.attr, node.value


def _taken(taking: Function) -> set[str]:
    """The lists of which the sample with the index itself is taken."""
    index = taking.args.args[1].arg
    return {
        node.value.attr
        for node in own_nodes(taking)
        if isinstance(node, ast.Subscript) and getattr(node.slice, "id", None) == index
        if isinstance(node.value, ast.Attribute) and getattr(node.value.value, "id", None) == "self"
    }


def _orders(value: ast.expr) -> bool:
    """Whether rows are put in order by what they are alone; a key says that somebody thought of the order."""
    calls = [node for node in ast.walk(value) if isinstance(node, ast.Call)]
    return any(called_name(call) in ORDERING and not call.keywords for call in calls)


def _mentioned(making: Function, value: ast.expr) -> set[str]:
    """All names, and names of attributes, that a value is made of, also through variables of the method."""
    made = {
        target.id: node.value
        for node in own_nodes(making)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    waiting, found = [value], set[str]()
    while waiting:
        nodes = list(ast.walk(waiting.pop()))
        found |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        names = {node.id for node in nodes if isinstance(node, ast.Name)} - found
        waiting += [made[name] for name in names if name in made]
        found |= names
    return found
