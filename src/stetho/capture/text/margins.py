"""Where a program cuts a distance off at a margin: `relu(margin - distance)`."""

import ast
import functools

from stetho.capture.text.syntax import called_name, read

CUTTING = frozenset(("relu", "clamp", "clamp_", "clamp_min", "clamp_min_", "clip", "maximum", "max"))


@functools.lru_cache(maxsize=256)
def margin_at(line: str) -> str | None:
    """The one line in the file of another that cuts a difference off at 0; None where there are several, or none.

    >>> from pathlib import Path
    >>> program = "def push(d):\\n    return (2.0 - d).clamp(min=0) ** 2\\npush(x).backward()\\n"
    >>> _ = Path("margins.py").write_text(program)
    >>> margin_at("margins.py:3")
    'margins.py:2'
    """
    file, tree, _ = read(line)
    lines = {node.lineno for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_cut_difference(node)}
    return f"{file}:{lines.pop()}" if len(lines) == 1 else None


def _is_cut_difference(call: ast.Call) -> bool:
    if called_name(call) not in CUTTING:
        return False
    owner = [call.func.value] if isinstance(call.func, ast.Attribute) else []
    return any(isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub) for part in (*owner, *call.args))
