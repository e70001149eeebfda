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
    nodes = [node for rows in ast.walk(tree) if isinstance(rows, LISTS) for node in ast.walk(rows)]
    counted = {id(side) for node in nodes if isinstance(node, ast.BinOp) for side in (node.left, node.right)}
    found = {(node.lineno, _default(node)) for node in nodes if isinstance(node, ast.Call) and id(node) not in counted}
    # A number of its own for unknown words is what it looks like; a 0 may be the first id, or an amount.
    lines = {line for line, number in found if number} or {line for line, number in found if number == 0}
    return f"{file}:{lines.pop()}" if len(lines) == 1 else None


def _default(call: ast.Call) -> float | None:
    """The number that stands for all that has no entry, or a 1 for a name; to count is `counts.get(word, 0) + 1`."""
    match call:
        case ast.Call(func=ast.Attribute(attr="get"), args=[_, ast.Subscript() | ast.Name()], keywords=[]):
            return 1
        case ast.Call(func=ast.Attribute(attr="get"), args=[_, ast.Constant(value=int(number))], keywords=[]):
            return max(number, 0)
    return None
