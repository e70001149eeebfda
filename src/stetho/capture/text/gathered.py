"""Where the rows of an array are put together one by one: `windows.append(series[i : i + 24])`."""

import ast
import functools

from stetho.capture.text.syntax import function_around, is_at, own_nodes, read, roots_of


@functools.lru_cache(maxsize=256)
def gathered_at(line: str) -> str | None:
    """The one line that adds a row to a list which an array is made of at a line.

    >>> from pathlib import Path
    >>> program = "rows = []\\nfor i in range(9):\\n    rows.append(series[i : i + 3])\\nx = np.array(rows)\\n"
    >>> _ = Path("gathered.py").write_text(program)
    >>> gathered_at("gathered.py:4"), gathered_at("gathered.py:3") is None
    ('gathered.py:3', True)
    """
    file, tree, number = read(line)
    scope = function_around(tree, number) or tree
    nodes = list(own_nodes(scope))
    made = [node for node in nodes if isinstance(node, ast.Assign | ast.Return) and is_at(node, number)]
    names = {name for node in made if node.value is not None for name in roots_of(node.value)}
    added = [
        node.lineno
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append"
        if getattr(node.func.value, "id", None) in names and node.lineno < number
    ]
    return f"{file}:{added[0]}" if len(added) == 1 else None
