"""What a statement takes apart at the place of an error: the names on its left, and what they were to be given.

Nothing is asked for again: loaders are not begun, and of functions only the line is read that gives something back.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from torch import Tensor, nn
from torch.utils.data import ConcatDataset, DataLoader, IterableDataset, Subset, TensorDataset, default_collate

from stetho.capture.expressions import MISSING, value_of
from stetho.capture.frames import Place, text_of
from stetho.capture.source import is_user_code
from stetho.capture.text.assignments import returned_at
from stetho.capture.text.syntax import called_name, read, syntax_of
from stetho.capture.torch.failure.tensors import line_for
from stetho.explaining.scene import Made, Unpacked

AROUND = ("tqdm", "track", "progress_bar")
"""What goes through a loader and gives each batch as it is."""

Loop = ast.For | ast.AsyncFor | ast.comprehension
Offer = tuple[str, tuple[str, ...], Made | None]
"""A kind of value, its parts, and the line that it comes from."""

UNKNOWN: Offer = ("unknown", (), None)


def unpacked(places: Sequence[Place]) -> Unpacked | None:
    """What the user's innermost line takes apart; None where it does no such thing."""
    place = next((each for each in reversed(places) if each.is_user), None)
    tree, node = (syntax_of(place.file), place.node()) if place is not None else (None, None)
    if place is None or tree is None or node is None:
        return None
    for statement in ast.walk(tree):
        if isinstance(statement, Loop) and (node is statement or _is_in(node, statement.target, statement.iter)):
            return _of_loop(place, statement, node)
        if isinstance(statement, ast.Assign) and (node is statement or _is_in(node, *statement.targets)):
            return _of_assignment(place, statement, node)
    return None


def _is_in(node: ast.AST, *parts: ast.expr) -> bool:
    return any(node is each for part in parts for each in ast.walk(part))


# ---- loops


def _of_loop(place: Place, loop: Loop, node: ast.AST) -> Unpacked:
    targets, source, counted = loop.target, loop.iter, False
    while isinstance(source, ast.Call) and source.args and called_name(source) in (*AROUND, "enumerate"):
        counted = counted or called_name(source) == "enumerate"
        source = source.args[0]
    inside = node if isinstance(node, ast.Tuple) and node is not targets else None
    text = text_of(source)
    if counted and inside is None and isinstance(targets, ast.Tuple):
        number, *others = map(text_of, targets.elts)
        fits = (f"`for {number}, ({', '.join(others)}) in enumerate({text})`",) if others else ()
        return Unpacked(text_of(targets)[1:-1], text, "`enumerate`", "values", ("a number", "a batch"), fits=fits)
    kind, parts, made = _each_of(value_of(source, place))
    names = _names(inside if inside is not None else targets)
    subject = f"{'a batch' if isinstance(value_of(source, place), DataLoader) else 'each part'} of `{text}`"
    return Unpacked(names, text, subject, kind, parts, made, _by_key(names, parts) if kind == "dict" else (), True)


def _names(target: ast.AST) -> str:
    return ", ".join(map(text_of, target.elts)) if isinstance(target, ast.Tuple | ast.List) else text_of(target)


def _by_key(names: str, keys: tuple[str, ...]) -> tuple[str, ...]:
    first = next(iter(keys), None)
    return (f"`for batch in …`, and then `{names.partition(',')[0]} = batch[{first}]`",) if first is not None else ()


def _each_of(source: object) -> Offer:
    """What going through something gives each time."""
    if isinstance(source, DataLoader):
        own = source.collate_fn
        if own is not default_collate:
            return _given_back(own) if source.batch_size is not None else _sample_of(source.dataset)
        return _sample_of(source.dataset)
    if type(source) in (list, tuple) and source:
        return _parts_of(source[0])  # type: ignore[index]  # a list or a tuple
    return _parts_of(source[0]) if isinstance(source, Tensor) and source.dim() and len(source) else UNKNOWN


def _sample_of(dataset: Any) -> Offer:
    """What a data set gives for a number."""
    if isinstance(dataset, TensorDataset):
        return (
            "values",
            tuple(f"{_type(each)}{['…', *each.shape[1:]]}".replace("'", "") for each in dataset.tensors),
            None,
        )
    if isinstance(dataset, Subset):
        return _sample_of(dataset.dataset)
    if isinstance(dataset, ConcatDataset):
        return _sample_of(dataset.datasets[0])
    if type(dataset) in (list, tuple) and dataset:
        return _parts_of(dataset[0])
    if isinstance(dataset, Tensor):
        return "tensor", (), None
    if isinstance(dataset, IterableDataset):
        return UNKNOWN
    return _given_back(getattr(type(dataset), "__getitem__", None))


# ---- assignments


def _of_assignment(place: Place, statement: ast.Assign, node: ast.AST) -> Unpacked | None:
    target = next((each for each in statement.targets if isinstance(each, ast.Tuple | ast.List)), None)
    if target is None:
        return None
    names, source = _names(node if isinstance(node, ast.Tuple | ast.List) else target), text_of(statement.value)
    if isinstance(node, ast.Tuple | ast.List) and node is not target:
        return Unpacked(names, source, f"a part of `{source}`")
    whole = _tensor_of_shape(statement.value, place)
    if whole is not None:
        return Unpacked(names, source, f"`{source}`", "shape", tuple(map(str, whole.shape)))
    if isinstance(statement.value, ast.Call):
        (kind, parts, made), subject, fits = _of_call(statement.value, place)
        return Unpacked(names, source, subject, kind, parts, made, fits)
    kind, parts, made = _parts_of(value_of(statement.value, place))
    return Unpacked(names, source, f"`{source}`", kind, parts, made)


def _tensor_of_shape(value: ast.expr, place: Place) -> Tensor | None:
    """The tensor whose shape is asked for: `x.shape`, `x.size()`."""
    if isinstance(value, ast.Call) and not value.args and called_name(value) == "size":
        value = value.func
    if not isinstance(value, ast.Attribute) or value.attr not in ("shape", "size"):
        return None
    found = value_of(value.value, place)
    return found if isinstance(found, Tensor) else None


def _of_call(call: ast.Call, place: Place) -> tuple[Offer, str, tuple[str, ...]]:
    """What a call gives back, what it is a call of, and what would fit."""
    name = text_of(call.func)
    called = value_of(call.func, place)
    if isinstance(called, nn.LSTM):
        return (
            ("values", ("the outputs", "a pair of states"), None),
            f"`{name}` (LSTM)",
            (f"`output, (h, c) = {name}(…)`",),
        )
    if isinstance(called, nn.RNNBase):
        kind = type(called).__name__
        return ("values", ("the outputs", "the last state"), None), f"`{name}` ({kind})", (f"`output, h = {name}(…)`",)
    if isinstance(called, nn.MultiheadAttention):
        parts = ("the output", "the weights")
        return ("values", parts, None), f"`{name}` (MultiheadAttention)", (f"`output, _ = {name}(…)`",)
    if isinstance(called, nn.Module):
        return _given_back(type(called).forward), f"`{name}` ({type(called).__name__})", ()
    if called is MISSING and isinstance(call.func, ast.Attribute):
        owner = value_of(call.func.value, place)
        called = getattr(type(owner), call.func.attr, None) if owner is not MISSING else None
    return _given_back(called), f"`{name}`", ()


# ---- values


def _given_back(function: object) -> Offer:
    """What a function of the program gives back, as its last `return` is written."""
    code = getattr(function, "__code__", None)
    line = returned_at(function) if code is not None and is_user_code(code) else None
    _, tree, number = read(line or "")
    found = next((each for each in ast.walk(tree) if isinstance(each, ast.Return) and each.lineno == number), None)
    if line is None or found is None:
        return UNKNOWN
    made = Made(line, text_of(found))
    if isinstance(found.value, ast.Tuple):
        return "values", tuple(map(text_of, found.value.elts)), made
    if isinstance(found.value, ast.Dict) and all(isinstance(key, ast.Constant) for key in found.value.keys):
        return "dict", tuple(text_of(key) for key in found.value.keys if key is not None), made
    return "unknown", (), made


def _parts_of(value: object) -> Offer:
    if isinstance(value, Tensor):
        return "tensor", (line_for(value) or "",), None
    if isinstance(value, dict):
        return "dict", tuple(map(repr, dict.keys(value))), None
    if isinstance(value, list | tuple):
        return "values", tuple(_shown(value)), None
    return UNKNOWN


def _shown(values: Sequence[object]) -> Iterator[str]:
    for each in values:
        yield f"{_type(each)}{list(each.shape)}" if isinstance(each, Tensor) else type(each).__name__


def _type(tensor: Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")
