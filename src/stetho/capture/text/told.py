"""The name of what a schedule is told: `scheduler.step(val_accuracy)`."""

import ast

from stetho.capture.text.syntax import calls_at, read


def told_name(line: str) -> str | None:
    """The name that a call of `step` at a line is given; None for anything but a name, as `-accuracy`.

    >>> from pathlib import Path
    >>> _ = Path("told.py").write_text("plateau.step(scores['val_acc'])\\nplateau.step(-accuracy)\\n")
    >>> told_name("told.py:1"), told_name("told.py:2")
    ('val_acc', None)
    """
    _, tree, number = read(line)
    for call in calls_at(tree, number):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "step":
            given = [*call.args, *(each.value for each in call.keywords if each.arg == "metrics")]
            return _name(given[0]) if given else None
    return None


def _name(given: ast.expr) -> str | None:
    match given:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str(name))):
            return name
        case ast.Call(func=ast.Attribute(value=inner, attr="item")) | ast.Call(args=[inner], func=ast.Name(id="float")):
            return _name(inner)
    return None
