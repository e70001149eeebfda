"""Where the indices are made that an embedding is asked for."""

import ast
import functools

from stetho.capture.text.syntax import called_name, calls_at, function_around, own_nodes, read


@functools.lru_cache(maxsize=256)
def asked_at(line: str, layer: str) -> str | None:
    """The last line before a call of a layer, in the same function, that sets the variable which it is given.

    >>> from pathlib import Path
    >>> program = "def forward(self, ids):\\n    places = zeros_like(ids)\\n    return self.table(places)\\n"
    >>> _ = Path("asked.py").write_text(program)
    >>> asked_at("asked.py:3", "body.table"), asked_at("asked.py:3", "other") is None
    ('asked.py:2', True)
    """
    file, tree, number = read(line)
    calls = [call for call in calls_at(tree, number) if called_name(call) == layer.rpartition(".")[2]]
    names = {getattr(call.args[0], "id", None) for call in calls if call.args}
    if len(names) != 1 or None in names:
        return None
    scope = function_around(tree, number) or tree
    own = [node for node in own_nodes(scope) if isinstance(node, ast.Assign) and node.lineno < number]
    lines = [node.lineno for node in own if names & {getattr(target, "id", None) for target in node.targets}]
    return f"{file}:{max(lines)}" if lines else None
