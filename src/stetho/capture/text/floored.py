"""Where data lose their fractions on the way to the model: `x // 255`, or a quotient that is made whole numbers."""

import ast
import functools

from stetho.capture.text.on_the_way import first_in_what_is_given, first_up_to
from stetho.capture.text.syntax import called_name
from stetho.capture.text.whole import makes_whole


@functools.lru_cache(maxsize=64)
def floored_at(line: str) -> str | None:
    """The last line before one that makes an input, or that line itself, where fractions are cut off.

    >>> from pathlib import Path
    >>> _ = Path("floored.py").write_text("images = images // 255\\nx = torch.tensor(images).float()\\n")
    >>> floored_at("floored.py:2"), floored_at("gone.py:2") is None
    ('floored.py:1', True)
    """
    return first_up_to(line, _cuts_fractions)


@functools.lru_cache(maxsize=64)
def floored_before(line: str) -> str | None:
    """The same for the line of a call: in what it is given, or on the way to it.

    >>> from pathlib import Path
    >>> _ = Path("whole_numbers.py").write_text("x = load()\\nout = model((x / 255).long().float())\\n")
    >>> floored_before("whole_numbers.py:2")
    'whole_numbers.py:2'
    """
    return first_in_what_is_given(line, _cuts_fractions)


def _cuts_fractions(node: ast.expr) -> bool:
    match node:
        case ast.BinOp(op=ast.FloorDiv()):
            return True
        case ast.Call():
            is_whole = makes_whole(node) or (called_name(node) == "byte" and not node.args)
            return is_whole and any(_is_quotient(part) for part in ast.walk(node))
    return False


def _is_quotient(part: ast.AST) -> bool:
    return isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div)
