"""What a function of the program gives back to a variable: `x, y = load()`."""

import ast

from stetho.capture.text.modules import calls_elsewhere, meant
from stetho.capture.text.syntax import FUNCTIONS, Function, own_nodes, syntax_of


def value_given_back(tree: ast.Module, found: ast.Assign, name: str, *, once: bool) -> ast.expr | None:
    """The expression that a function of the program gives back for a variable; None where there are several ways.

    With `once`, only of a function that is called at one place: what makes data for training and for evaluation says
    nothing of either.

    >>> tree = ast.parse("def load():\\n    return read(), labels\\nx, y = load()")
    >>> ast.unparse(value_given_back(tree, tree.body[1], "y", once=True))
    'labels'
    """
    called = found.value.func if isinstance(found.value, ast.Call) else None
    functions = [n for n in tree.body if isinstance(n, FUNCTIONS) and n.name == getattr(called, "id", None)]
    others = 0
    if not functions and called is not None:
        functions, others = _elsewhere(str(vars(found).get("file", "")), called)
    returns = [n.value for f in functions for n in own_nodes(f) if isinstance(n, ast.Return) and n.value is not None]
    if len(functions) != 1 or len(returns) != 1:
        return None
    if once and max(others, sum(getattr(node, "id", None) == functions[0].name for node in ast.walk(tree))) > 1:
        return None
    target, value = found.targets[0], returns[0]
    if isinstance(target, ast.Name):
        return value if target.id == name and not isinstance(value, ast.Tuple) else None
    names = [getattr(part, "id", None) for part in target.elts] if isinstance(target, ast.Tuple) else []
    if name not in names or not isinstance(value, ast.Tuple) or len(value.elts) != len(names):
        return None
    return value.elts[names.index(name)]


def _elsewhere(file: str, called: ast.expr) -> tuple[list[Function], int]:
    """The functions of another file that a call may be of, and how many calls of them the program has."""
    source = meant(file, called) if file else None
    tree = syntax_of(source[0]) if source is not None else None
    if source is None or tree is None:
        return [], 0
    found = [node for node in tree.body if isinstance(node, FUNCTIONS) and node.name == source[1]]
    return found, len(calls_elsewhere(*source))
