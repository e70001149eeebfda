"""Where a program that has no layers squashes its values: the one line that calls a sigmoid or a tanh."""

import ast
import functools

from stetho.capture.text.syntax import called_name, read

SQUASHING = ("sigmoid", "tanh", "softsign")


@functools.lru_cache(maxsize=64)
def squashed_at(file: str) -> str | None:
    """The one such line of a file; None where there are several, or none.

    >>> from pathlib import Path
    >>> _ = Path("deep.py").write_text("for w in weights:\\n    x = torch.sigmoid(x @ w)\\n")
    >>> squashed_at("deep.py")
    'deep.py:2'
    """
    _, tree, _ = read(f"{file}:1")
    lines = {node.lineno for node in ast.walk(tree) if isinstance(node, ast.Call) and called_name(node) in SQUASHING}
    return f"{file}:{lines.pop()}" if len(lines) == 1 else None
