"""The place of an error in a program that uses torch: the layer, what it was given, and the operands, as plain data."""

import ast
import linecache
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from torch import Tensor
from torch.nn import Module

from stetho.capture.circumstances import ingredients
from stetho.capture.expressions import flattened, operands_of, value_of
from stetho.capture.frames import Place, text_of
from stetho.capture.in_place import in_place_lines, lines_changing_results
from stetho.capture.origins import PASSED_ON, argument_number, argument_text, origin
from stetho.capture.torch.failure.failing_layer import layer_facts, module_of
from stetho.capture.torch.failure.tensors import summary_of, tensor_line
from stetho.capture.torch.failure.unpacking import unpacked
from stetho.explaining.scene import Made, Operand, Scene

MOST_TENSORS = 6
TAKEN_APART = ("to unpack", "cannot unpack", "is not iterable", "iteration over a 0-d")
"""Words of errors about values that have other parts than a statement asks for."""


def scene_of(kind: str, message: str, places: Sequence[Place]) -> Scene:
    """All that is known about the place of an error."""
    own = max((number for number, place in enumerate(places) if place.is_user), default=None)
    if own is None:
        return Scene(kind, message)
    place = places[own]
    node = place.node()
    operands = _operands(places, own, node)
    called = [(number, module) for number, each in enumerate(places) if (module := module_of(each)) is not None]
    arguments = _arguments(places, called, own)
    return Scene(
        kind,
        message,
        where=f"{place.file}:{place.line}",
        code=text_of(_expression(node)) if node is not None else place.code,
        layer=layer_facts(places, called, own),
        arguments=_under_own_names(arguments, operands),
        operands=tuple(_with_roles(operands, arguments)),
        in_place=_in_place(places, called, message) if "inplace" in message else (),
        ingredients=tuple(ingredients(places, own, node)) if "does not have a grad_fn" in message else (),
        unpacked=unpacked(places) if any(word in message for word in TAKEN_APART) else None,
    )


def _expression(node: ast.AST) -> ast.AST:
    """Of a statement, the part that is computed."""
    if isinstance(node, ast.Return | ast.Expr | ast.Assign) and node.value is not None:
        return node.value
    return node.test if isinstance(node, ast.If | ast.While | ast.Assert) else node


# ---- tensors


Known = tuple[tuple[Operand, Tensor], ...]
"""What is said of tensors, and the tensors themselves."""


def _operands(places: Sequence[Place], own: int, node: ast.AST | None) -> Known:
    """The tensors in the user's expression."""
    found = []
    for part in flattened(operands_of(node)) if node is not None else ():
        value = value_of(part, places[own])
        values: list[object] = list(value) if isinstance(value, list | tuple) else [value]
        for number, each in enumerate(values[:MOST_TENSORS]):
            if isinstance(each, Tensor):
                name = text_of(part) if each is value else f"{text_of(part)}[{number}]"
                made = _made(places, own, part)
                found.append((_operand(name, each, made), each))
    return tuple(found[:MOST_TENSORS])


def _made(places: Sequence[Place], own: int, part: ast.expr) -> Made | None:
    if isinstance(part, ast.Name):
        return origin(places, own, part.id)
    if isinstance(part, ast.Attribute):
        return _assigned(places[own].file, text_of(part))
    return None


def _assigned(file: str, target: str) -> Made | None:
    """The last line of a file that assigns an attribute, as `self.weight = …`."""
    lines = linecache.getlines(file)
    found = [number for number, line in enumerate(lines, 1) if line.strip().startswith(f"{target} =")]
    return Made(f"{file}:{found[-1]}", lines[found[-1] - 1].strip()) if found else None


def _arguments(places: Sequence[Place], called: Sequence[tuple[int, Module]], own: int) -> Known:
    """The tensors that the innermost layer, or the library function at the end, was given; without the operands."""
    index = next((number for number, _ in reversed(called) if places[number].function == "forward"), None)
    if index is None or index < own:
        index = own + 1 if own + 1 < len(places) else None
    if index is None or index == own:
        return ()
    place, found = places[index], []
    for name in place.parameters:
        value = place.frame.f_locals.get(name)
        if isinstance(value, Tensor):
            operand = _operand(_outer_name(places, index, own, name), value, origin(places, index, name))
            found.append((replace(operand, taken_as=name), value))
    return tuple(found[:MOST_TENSORS])


def _under_own_names(arguments: Known, operands: Known) -> tuple[Operand, ...]:
    """The arguments; one that is an operand of the user's own expression too is told as that."""
    known = {id(tensor): operand for operand, tensor in operands}
    return tuple(replace(known.get(id(tensor), argument), taken_as=argument.taken_as) for argument, tensor in arguments)


def _with_roles(operands: Known, arguments: Known) -> Iterator[Operand]:
    """The operands, with the names under which they are taken."""
    roles = {id(tensor): argument.taken_as for argument, tensor in arguments}
    for operand, tensor in operands:
        yield replace(operand, taken_as=roles.get(id(tensor), ""))


def _outer_name(places: Sequence[Place], index: int, own: int, name: str) -> str:
    """What the user calls an argument, when the user's own line makes the call."""
    between = (places[number].function for number in range(own + 1, index))
    if any(function not in PASSED_ON for function in between):
        return name
    return argument_text(places[own].node(), argument_number(places[index], name), name) or name


def _operand(name: str, tensor: Tensor, made: Made | None) -> Operand:
    summary = summary_of(tensor)
    return Operand(
        name,
        tuple(tensor.shape),
        str(tensor.dtype).removeprefix("torch."),
        str(tensor.device),
        tensor_line(tensor),
        low=summary.low if summary is not None and summary.finite else None,
        high=summary.high if summary is not None and summary.finite else None,
        made=made,
    )


# ---- changes in place


def _in_place(places: Sequence[Place], called: Sequence[tuple[int, Module]], message: str) -> tuple[Made, ...]:
    """Where values may have been overwritten: layers that work in place, and lines of the user's files that do."""
    operation = re.search(r"output \d+ of (\w+?)(?:Backward\d*)?[, ]", message)
    files = dict.fromkeys(place.file for place in places if place.is_user)
    if operation is not None:
        known = [made for file in files for made in lines_changing_results(file, operation[1])]
        if known:
            return tuple(known[:MOST_TENSORS])
    models = {id(module): module for module in (*(each for _, each in called), *_models(places))}
    layers = [
        Made(f"layer `{name}`", f"{type(layer).__name__}(inplace=True)")
        for model in models.values()
        for name, layer in model.named_modules()
        if vars(layer).get("inplace") is True
    ]
    tensors = {name for place in places if place.is_user for name, value in place.frame.f_locals.items()
               if isinstance(value, Tensor)}  # fmt: skip
    lines = [made for file in files for made in in_place_lines(file, tensors)]
    return tuple((layers + lines)[:MOST_TENSORS])


def _models(places: Sequence[Place]) -> Iterator[Module]:
    for place in places:
        if place.is_user:
            yield from (value for value in place.frame.f_locals.values() if isinstance(value, Module))
