"""Where the original of a layer is made that the program, or a layer of its own, copies."""

import ast
import functools

from stetho.capture.text.syntax import called_name, calls_at, read
from stetho.capture.text.values import ProgramText


@functools.lru_cache(maxsize=1024)
def copied_from(line: str, kind: str) -> str | None:
    """The line that makes the layer of that class which a call at a line is given to copy; None where there is none.

    >>> from pathlib import Path
    >>> _ = Path("copied.py").write_text("block = Block(8)\\nbody = Stack(block, 4)\\n")
    >>> copied_from("copied.py:2", "Block"), copied_from("copied.py:1", "Block") is None
    ('copied.py:1', True)
    """
    file, tree, number = read(line)
    calls = calls_at(tree, number)
    if any(called_name(call) == kind for call in calls):
        return None
    text = ProgramText(tree)
    given = [value for call in calls for value in (*call.args, *(each.value for each in call.keywords))]
    made = [text.written(value) for value in given if isinstance(value, ast.Name | ast.Attribute)]
    lines = {each.lineno for each in made if isinstance(each, ast.Call) and called_name(each) == kind}
    return f"{file}:{lines.pop()}" if len(lines) == 1 else None
