"""Memory that grows from step to step: under which name of the program, and which of its lines adds to it."""

import ast
import itertools
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stetho.profiling.records import Keeper

MOST_KEEPERS = 5
LEAST_GROWTH = 2**20
"""Bytes while a program is profiled. Less than that is what allocators and caches of Python take."""
ADDING = {"append", "appendleft", "extend", "insert", "add", "update", "setdefault", "put"}


@dataclass(frozen=True, slots=True)
class Name:
    """A name of the program, with the function (empty: the module) and the file in which it stands."""

    name: str
    function: str
    file: str


@dataclass(frozen=True, slots=True)
class Held:
    """What a name holds."""

    tensors: int
    bytes: int
    nodes: int


def keepers(snapshots: Sequence[Mapping[Name, Held]]) -> list[Keeper]:
    """The names that hold more at every snapshot, the greediest first; one snapshot is taken after each step.

    >>> name = Name("losses", "", "train.py")
    >>> (one,) = keepers([{name: Held(n, 4 * n, n)} for n in (1, 2, 3)])
    >>> one.name, one.tensors_per_step, one.bytes_per_step
    ('losses', 1.0, 4.0)
    """
    if len(snapshots) < 3:
        return []
    found = []
    # A name of a function is one in those that it encloses, too.
    names = {(name.name, name.file): name for name in reversed(list(snapshots[-1]))}
    for name in names.values():
        series = [each[name] for each in snapshots if name in each]
        if len(series) != len(snapshots) or not _grows(series):
            continue
        first, last, steps = series[0], series[-1], len(series) - 1
        found.append(
            Keeper(
                name=name.name,
                function=name.function,
                lines=tuple(adding_lines(name)),
                tensors_per_step=(last.tensors - first.tensors) / steps,
                bytes_per_step=(last.bytes - first.bytes) / steps,
                nodes_per_step=(last.nodes - first.nodes) / steps,
            )
        )
    return sorted(found, key=lambda one: (-one.bytes_per_step, -one.nodes_per_step))[:MOST_KEEPERS]


def growth_of(process: Sequence[tuple[int, int]]) -> float:
    """By how much the process grows a step, if it does so all the time; memory that is taken once is no growth.

    Looks at the process are pairs: after so many steps, so many bytes.

    >>> growth_of([(step, step * 2**20) for step in range(16)]) / 2**20
    1.0
    """
    quarter = len(process) // 4
    if quarter < 2:
        return 0.0
    sizes = [size for _, size in process]
    middles = [statistics.median(sizes[place * quarter : (place + 1) * quarter]) for place in range(4)]
    rises = [later - earlier for earlier, later in itertools.pairwise(middles)]
    # What is taken once makes one rise that is larger than all others together.
    if min(rises) <= 0 or max(rises) > 0.6 * sum(rises) or sum(rises) < LEAST_GROWTH:
        return 0.0
    return (sizes[-1] - sizes[0]) / max(process[-1][0] - process[0][0], 1)


def _grows(series: Sequence[Held]) -> bool:
    pairs = list(itertools.pairwise(series))
    return all(b.tensors > a.tensors and b.bytes > a.bytes for a, b in pairs) or all(
        b.nodes > a.nodes for a, b in pairs
    )


def adding_lines(name: Name) -> Iterator[str]:
    """Where something is put into what a name stands for, as `file:line`."""
    try:
        tree = ast.parse(Path(name.file).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return
    wanted = name.name.removeprefix("self.")
    for node in ast.walk(tree):
        if _adds(node, wanted):
            yield f"{name.file}:{node.lineno}"  # type: ignore[attr-defined]  # statements and calls have lines


def _adds(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ADDING:
        return _is(node.func.value, name)
    if isinstance(node, ast.AugAssign):
        return _is(node.target, name)
    if isinstance(node, ast.Assign):
        into = [each for each in node.targets if isinstance(each, ast.Subscript) and _is(each.value, name)]
        again = [each for each in node.targets if _is(each, name)]
        mentions = any(_is(each, name) for each in ast.walk(node.value))
        return bool(into) or bool(again and mentions)
    return False


def _is(node: ast.AST, name: str) -> bool:
    """Whether an expression is that name, as a variable, an attribute, or an item of it."""
    if isinstance(node, ast.Subscript):
        return _is(node.value, name)
    return (isinstance(node, ast.Name) and node.id == name) or (isinstance(node, ast.Attribute) and node.attr == name)
