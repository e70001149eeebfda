"""Where the data of a training loop are made: followed from the loop through loader and data set to the arrays."""

import ast
import functools

from stetho.capture.text.syntax import (
    FUNCTIONS,
    called_name,
    calls_at,
    loops_around,
    own_nodes,
    place_of,
    read,
    roots_of,
    syntax_of,
)
from stetho.capture.text.values import ProgramText

LOADERS = frozenset(("DataLoader", "enumerate", "tqdm", "iter", "cycle", "islice", "list", "random_split", "Subset"))
"""What hands on what it is given first."""
MOST_HOPS = 4


@functools.lru_cache(maxsize=1024)
def fed_at(line: str, name: str | None) -> str | None:
    """The line that makes the array behind a variable of the loop around a line; None where it cannot be told.

    >>> from pathlib import Path
    >>> program = "x = load()\\ndata = TensorDataset(x, y)\\nfor a, b in DataLoader(data):\\n    model(a)\\n"
    >>> _ = Path("feed.py").write_text(program)
    >>> fed_at("feed.py:4", "a"), fed_at("feed.py:4", "model") is None
    ('feed.py:1', True)
    """
    file, tree, number = read(line)
    text = ProgramText(tree, file)
    for loop in loops_around(tree, number):
        place = _place(loop.target, name) if name is not None else None
        if place is not None:
            made = _array(text, text.written(loop.iter), place)
            return place_of(made, file) if made is not None else None
    return None


@functools.lru_cache(maxsize=256)
def loaded_at(line: str, shuffled: bool | None) -> str | None:
    """The line that makes the first array of the loader which is made at a line; of several, the one so shuffled."""
    file, tree, number = read(line)
    text = ProgramText(tree, file)
    loaders = [call for call in calls_at(tree, number) if called_name(call) == "DataLoader"]
    if len(loaders) > 1:
        loaders = [call for call in loaders if _is_shuffled(call) == shuffled]
    made = _array(text, loaders[0], [0]) if len(loaders) == 1 else None
    return place_of(made, file) if made is not None else None


def _is_shuffled(loader: ast.Call) -> bool:
    return any(each.arg == "shuffle" and getattr(each.value, "value", None) is True for each in loader.keywords)


def _place(target: ast.expr, name: str) -> list[int] | None:
    """Where a loop's variable stands among those that each turn brings: [] for the only one."""
    if isinstance(target, ast.Name):
        return [] if target.id == name else None
    for number, part in enumerate(target.elts if isinstance(target, ast.Tuple | ast.List) else ()):
        inside = _place(part, name)
        if inside is not None:
            return [number, *inside]
    return None


def _array(text: ProgramText, source: ast.expr, place: list[int]) -> ast.expr | None:
    """What a place in each turn comes from; None where the source is not known to be a loader of arrays."""
    if not isinstance(source, ast.Call) or not source.args:
        return None
    name = called_name(source)
    if name == "enumerate" and place[:1] == [1]:
        place = place[1:]
    if name in LOADERS:
        return _array(text, _made(text, source.args[0]), place)
    if name in ("TensorDataset", "zip") and place and place[0] < len(source.args):
        return _whole(text, source.args[place[0]])
    handed = _handed_on(text, source, place)
    return _whole(text, handed) if handed is not None else None


def _made(text: ProgramText, given: ast.expr) -> ast.expr:
    """What a variable holds, also where a function gives it back beside others: `train, test = prepare()`."""
    made = text.written(given)
    back = text.given_back(made, given.id) if isinstance(given, ast.Name) else None
    return text.written(back) if back is not None else made


def _handed_on(text: ProgramText, call: ast.Call, place: list[int]) -> ast.expr | None:
    """What a small function that puts a data set together is given for the array at a place."""
    maker = text.written(call.func)
    if isinstance(maker, ast.Lambda):
        made: list[ast.expr | None] = [maker.body]
        names = maker.args.args
    else:
        tree = syntax_of(place_of(call).rpartition(":")[0]) or ast.Module([], [])
        makers = [each for each in tree.body if isinstance(each, FUNCTIONS) and each.name == getattr(maker, "id", None)]
        made = [node.value for each in makers for node in own_nodes(each) if isinstance(node, ast.Return)]
        names = makers[0].args.args if makers else []
    if len(made) != 1 or not isinstance(made[0], ast.Call) or called_name(made[0]) != "TensorDataset":
        return None
    used = roots_of(made[0].args[place[0]]) if place and place[0] < len(made[0].args) else set()
    given = [value for name, value in zip(names, call.args, strict=False) if name.arg in used]
    return given[0] if len(given) == 1 else None


def _whole(text: ProgramText, given: ast.expr, hops: int = MOST_HOPS) -> ast.expr:
    """Where an array is made: a part of one where the whole one is, one of a function where it gives it back."""
    made = text.written(given)
    if isinstance(made, ast.Subscript):
        given, made = made.value, text.written(made.value)
    back = text.given_back(made, given.id) if isinstance(given, ast.Name) and hops else None
    return _whole(text, back, hops - 1) if back is not None else made
