"""Where the class of a layer is chosen, if it is handed to what makes the layer: `mlp(sizes, nn.Sigmoid)`."""

import ast
import functools

from stetho.capture.text.syntax import called_name, calls_at, place_of, read
from stetho.capture.text.values import ProgramText


@functools.lru_cache(maxsize=1024)
def chosen_at(line: str, kind: str) -> str | None:
    """The line that names the class which is called at a line under another name; None where it is named there.

    >>> from pathlib import Path
    >>> program = "def block(act):\\n    return [Linear(8, 8), act()]\\nnet = block(nn.Sigmoid)\\n"
    >>> _ = Path("chosen.py").write_text(program)
    >>> chosen_at("chosen.py:2", "Sigmoid"), chosen_at("chosen.py:2", "Linear") is None
    ('chosen.py:3', True)
    """
    file, tree, number = read(line)
    calls = calls_at(tree, number)
    if any(called_name(call) == kind for call in calls):
        return None
    text = ProgramText(tree, file)
    named = [text.written(call.func) for call in calls]
    lines = {place_of(each, file) for each in named if _last_name(each) == kind}
    return lines.pop() if len(lines) == 1 else None


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
