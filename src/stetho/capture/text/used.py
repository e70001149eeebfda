"""Where a function first uses one of its arguments: the program's text is read, and nothing is run."""

import ast
import functools

from stetho.capture.text.syntax import function_around, own_nodes, read


@functools.lru_cache(maxsize=256)
def argument_used_at(line: str, number: int) -> str | None:
    """The first line where the method around a line uses its argument of this number, if it takes no more than these.

    >>> from pathlib import Path
    >>> _ = Path("use.py").write_text("class Net:\\n    def forward(self, x, y):\\n        z = y\\n        return z\\n")
    >>> argument_used_at("use.py:4", 1), argument_used_at("use.py:4", 2)
    ('use.py:3', None)
    """
    file, tree, place = read(line)
    function = function_around(tree, place)
    names = [each.arg for each in function.args.args[1:]] if function is not None else []
    # Of more arguments some may be masks and lengths, and the numbers are those of sequences.
    if function is None or len(names) != number + 1:
        return None
    uses = [node for node in own_nodes(function) if isinstance(node, ast.Name) and node.id == names[number]]
    lines = [node.lineno for node in uses if isinstance(node.ctx, ast.Load)]
    return f"{file}:{min(lines)}" if lines else None
