"""Where a program may bring a copy of a model up to date: whether it was written at all, reached or not."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import FUNCTIONS, called_name, read

RENEWING = ("load_state_dict", "copy_", "lerp_", "mul_", "_foreach_copy_", "_foreach_lerp_", "_foreach_mul_",
            "update_parameters", "set_", "vector_to_parameters")  # fmt: skip
NAMED = ("update", "sync", "polyak", "average")
"""What a function of another file may be called that does so."""
COPIES = ("ema", "target", "teacher", "average", "momentum", "sync", "polyak", "shadow")
"""What a method of another file, or its owner, may be called: there are many that update something else."""


@functools.lru_cache(maxsize=64)
def renewed_at(file: str) -> tuple[str, ...]:
    """The lines of a file that may give new values to weights, without those in functions that nothing asks for.

    >>> from pathlib import Path
    >>> _ = Path("renewed.py").write_text("target.load_state_dict(net.state_dict())\\nloss.backward()\\n")
    >>> renewed_at("renewed.py"), renewed_at("gone.py")
    (('renewed.py:1',), ())
    """
    _, tree, _ = read(f"{file}:1")
    asked = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    asked |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    own = {node.name for node in ast.walk(tree) if isinstance(node, FUNCTIONS)}
    return tuple(f"{file}:{line}" for line in sorted(set(_lines(tree, asked, own))))


def _lines(scope: ast.AST, asked: set[str], own: set[str]) -> Iterator[int]:
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, FUNCTIONS) and node.name not in asked and not node.name.startswith("__"):
            continue
        if isinstance(node, ast.Call) and _renews(node, own):
            yield node.lineno
        if isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            is_data = any(isinstance(part, ast.Attribute) and part.attr == "data" for each in targets
                          for part in ast.walk(each))  # fmt: skip
            if is_data:
                yield node.lineno
        yield from _lines(node, asked, own)


def _renews(call: ast.Call, own: set[str]) -> bool:
    name = called_name(call)
    if name in RENEWING:
        return True
    if isinstance(call.func, ast.Attribute):
        owner = ast.unparse(call.func.value)
        return name not in own and _tells(name, NAMED) and _tells(f"{owner}_{name}", COPIES)
    return name not in own and _tells(name, NAMED)


def _tells(name: str, words: tuple[str, ...]) -> bool:
    return any(word in name.lower() for word in words)
