"""The order of a training loop as it is written: what stands between `backward` and `step`, or around them."""

import ast
import functools
from collections.abc import Iterable, Iterator

from stetho.capture.text.syntax import FUNCTIONS, called_name, function_around, loops_around, own_nodes, read

OTHERS = ("sched", "warmup", "prof", "env", "world", "bar", "plateau")
"""Names of what is stepped and is no optimizer."""


@functools.lru_cache(maxsize=64)
def step_guarded_at(line: str) -> str | None:
    """The one condition that an optimizer's step stands under, in the loop of a `backward` at a line.

    >>> from pathlib import Path
    >>> program = "for x in data:\\n    loss(x).backward()\\n    if ready:\\n        optimizer.step()\\n"
    >>> _ = Path("guarded.py").write_text(program)
    >>> step_guarded_at("guarded.py:2"), step_guarded_at("gone.py:2") is None
    ('guarded.py:3', True)
    """
    file, tree, number = read(line)
    loop = next(iter(loops_around(tree, number)), None)
    nodes = list(own_nodes(loop)) if loop is not None else []
    guards = [node for node in nodes if isinstance(node, ast.If) and any(_steps(ast.walk(node)))]
    free = {step.lineno for step in _steps(nodes)} - {step.lineno for g in guards for step in _steps(ast.walk(g))}
    return f"{file}:{guards[0].lineno}" if len(guards) == 1 and not free else None


@functools.lru_cache(maxsize=64)
def zeroed_outside_at(line: str) -> str | None:
    """The one `zero_grad` before the loop of a `backward` at a line, in the same function, if the loop has none.

    >>> from pathlib import Path
    >>> program = "optimizer.zero_grad()\\nfor x in data:\\n    loss(x).backward()\\n    optimizer.step()\\n"
    >>> _ = Path("outside.py").write_text(program)
    >>> zeroed_outside_at("outside.py:3")
    'outside.py:1'
    """
    file, tree, number = read(line)
    loop = next(iter(loops_around(tree, number)), None)
    if loop is None or any(_zeroing(ast.walk(loop))):
        return None
    lines = {each for each in _zeroing(own_nodes(function_around(tree, number) or tree)) if each < loop.lineno}
    return f"{file}:{lines.pop()}" if len(lines) == 1 else None


@functools.lru_cache(maxsize=64)
def emptied_at(line: str) -> str | None:
    """The one line that sets gradients to zero between a `backward` at a line and the next `step`.

    It may stand in a function of the same file that is called there.

    >>> from pathlib import Path
    >>> _ = Path("emptied.py").write_text("loss.backward()\\noptimizer.zero_grad()\\noptimizer.step()\\n")
    >>> emptied_at("emptied.py:1")
    'emptied.py:2'
    """
    file, tree, number = read(line)
    nodes = list(own_nodes(function_around(tree, number) or tree))
    end = min((step.lineno for step in _steps(nodes) if step.lineno > number), default=0)
    between = [node for node in nodes if number < getattr(node, "lineno", 0) < end]
    lines = set(_zeroing(between))
    called = {called_name(node) for node in between if isinstance(node, ast.Call)}
    for function in ast.walk(tree):
        if isinstance(function, FUNCTIONS) and function.name in called - {"step", "zero_grad"}:
            lines |= set(_zeroing(own_nodes(function)))
    return f"{file}:{lines.pop()}" if len(lines) == 1 else None


def _steps(nodes: Iterable[ast.AST]) -> Iterator[ast.Call]:
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "step":
            holder = node.func.value
            name = holder.attr if isinstance(holder, ast.Attribute) else getattr(holder, "id", "")
            if not any(word in name.lower() for word in OTHERS):
                yield node


def _zeroing(nodes: Iterable[ast.AST]) -> Iterator[int]:
    """`optimizer.zero_grad()`, `weight.grad.zero_()`, `weight.grad = None`."""
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr="zero_grad")):
                yield node.lineno
            case ast.Call(func=ast.Attribute(attr="zero_", value=ast.Attribute(attr="grad"))):
                yield node.lineno
            case ast.Assign(targets=[ast.Attribute(attr="grad")], value=ast.Constant(value=None)):
                yield node.lineno
