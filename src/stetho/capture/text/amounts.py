"""Where a program writes how many samples it takes: as the end of a slice, a constant, a default, an argument."""

import ast
import functools
from collections.abc import Iterator

from stetho.capture.text.syntax import FUNCTIONS, called_name, read

OTHERS = frozenset(("batch", "bs", "epoch", "epochs", "step", "steps", "hidden", "width", "dim", "size", "seed",
                    "classes", "heads", "layers", "depth", "iterations", "iters", "length", "words", "vocab",
                    "features"))  # fmt: skip
"""Words in names of numbers that are no number of samples."""
FEWEST, MOST = 2, 1000


@functools.lru_cache(maxsize=64)
def amounts_at(file: str) -> dict[str, str]:
    """Number of samples → the one line that may say so; what is the plainest way to say it counts first.

    >>> from pathlib import Path
    >>> _ = Path("amounts.py").write_text("PATIENTS = 40\\nx = study(PATIENTS)\\ntrain = order[:30]\\nbatch = 16\\n")
    >>> amounts_at("amounts.py")
    {'30': 'amounts.py:3', '40': 'amounts.py:1'}
    """
    _, tree, _ = read(f"{file}:1")
    nodes = list(ast.walk(tree))
    own = {node.name for node in nodes if isinstance(node, (*FUNCTIONS, ast.ClassDef))}
    found: dict[str, str] = {}
    for way in (_slices(nodes), _named(nodes), _arguments(nodes, own)):
        lines: dict[int, set[int]] = {}
        for value in way:
            if isinstance(value, ast.Constant) and type(value.value) is int and FEWEST <= value.value <= MOST:
                lines.setdefault(value.value, set()).add(value.lineno)
        for number, places in lines.items():
            # Two places say that the number means several things: then none of them is told.
            found.setdefault(str(number), f"{file}:{places.pop()}" if len(places) == 1 else "")
    return {number: line for number, line in found.items() if line}


def _slices(nodes: list[ast.AST]) -> Iterator[ast.expr]:
    """The ends of slices from the start: `order[:30]`."""
    for node in nodes:
        match node:
            case ast.Subscript(slice=ast.Slice(lower=None, upper=ast.expr() as upper)):
                yield upper


def _named(nodes: list[ast.AST]) -> Iterator[ast.expr]:
    """Constants, defaults of parameters and of options, save those that are called after something else."""
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if not _is_other(name):
                yield value
            case ast.FunctionDef(args=ast.arguments(args=plain, defaults=defaults)) if defaults:
                pairs = zip(plain[-len(defaults) :], defaults, strict=False)
                yield from (value for argument, value in pairs if not _is_other(argument.arg))
            case ast.Call(args=[ast.Constant(value=str(name)), *_], keywords=keywords):
                if called_name(node) == "add_argument" and not _is_other(name):
                    yield from (each.value for each in keywords if each.arg == "default")


def _arguments(nodes: list[ast.AST], own: set[str]) -> Iterator[ast.expr]:
    """What functions and classes of the program are given first, or under a name that is not called after others."""
    for node in nodes:
        if isinstance(node, ast.Call) and called_name(node) in own:
            yield from node.args[:1]
            yield from (each.value for each in node.keywords if each.arg is not None and not _is_other(each.arg))


def _is_other(name: str) -> bool:
    words = set(name.lower().lstrip("-").replace("-", "_").split("_"))
    return bool(OTHERS & words)
