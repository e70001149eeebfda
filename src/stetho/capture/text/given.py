"""Where the value of an argument was written down: at the call, or as a constant, a default, a setting elsewhere."""

import ast
import functools

from stetho.capture.text.syntax import calls_at, place_of, read
from stetho.capture.text.values import ProgramText


@functools.lru_cache(maxsize=4096)
def given_at(
    line: str, argument: str, *, callee: str = "", position: int | None = None, value: float | None = None
) -> str | None:
    """The line where the program writes what a call at a line gives to an argument; None where it gives nothing.

    An argument without a name is known by its position in a call of `callee`. Of several calls at one line, the one
    that gives the `value` is meant.

    >>> from pathlib import Path
    >>> _ = Path("rates.py").write_text("RATE = 5.0\\nmodel = make()\\noptimizer = SGD(model, RATE, momentum=0.9)\\n")
    >>> given_at("rates.py:3", "lr", callee="SGD", position=1), given_at("rates.py:3", "momentum")
    ('rates.py:1', 'rates.py:3')
    >>> given_at("rates.py:3", "nesterov") is None
    True
    """
    file, tree, number = read(line)
    text = ProgramText(tree, file)
    given = [text.written(each) for each in text.arguments(number, argument, callee, position)]
    meant = [each for each in given if isinstance(each, ast.Constant) and each.value == value]
    written = next(iter(meant or (given if value is None or len(given) == 1 else ())), None)
    return place_of(written, file) if written is not None else None


@functools.lru_cache(maxsize=1024)
def keeps_at(line: str) -> bool:
    """Whether a call at a line is given a share to keep: right where it is written, and wrong as a share to drop.

    >>> from pathlib import Path
    >>> _ = Path("keep.py").write_text("drop = Dropout(flags['keep_prob'])\\ndrop = Dropout(1 - keep)\\n")
    >>> keeps_at("keep.py:1"), keeps_at("keep.py:2")
    (True, False)
    """
    _, tree, number = read(line)
    given = [each for call in calls_at(tree, number) for each in (*call.args, *(k.value for k in call.keywords))]
    return any("keep" in _called(each).lower().split("_") for each in given)


def _called(value: ast.expr) -> str:
    match value:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str(name))):
            return name
    return ""
