"""Where a program looks its words up in a vocabulary, with a number for those that it does not know."""

import ast
import functools

from stetho.capture.text.syntax import read

LISTS = (ast.ListComp, ast.GeneratorExp, ast.For)


@functools.lru_cache(maxsize=64)
def looked_up_at(file: str) -> str | None:
    """The one line that turns a row of words into numbers by `vocabulary.get(word, unknown)`.

    >>> from pathlib import Path
    >>> _ = Path("words.py").write_text("ids = [stoi.get(word, stoi['<unk>']) for word in text.split()]\\n")
    >>> looked_up_at("words.py"), looked_up_at("gone.py") is None
    ('words.py:1', True)
    """
    _, tree, _ = read(f"{file}:1")
    found = {
        call.lineno
        for rows in ast.walk(tree)
        if isinstance(rows, LISTS)
        for call in ast.walk(rows)
        if isinstance(call, ast.Call) and _has_default(call)
    }
    return f"{file}:{found.pop()}" if len(found) == 1 else None


def _has_default(call: ast.Call) -> bool:
    """Whether one thing stands for all that has no entry; to count is `counts.get(word, 0) + 1`."""
    match call:
        case ast.Call(func=ast.Attribute(attr="get"), args=[_, ast.Subscript() | ast.Name()], keywords=[]):
            return True
        case ast.Call(func=ast.Attribute(attr="get"), args=[_, ast.Constant(value=int(number))], keywords=[]):
            return number > 0
    return False
