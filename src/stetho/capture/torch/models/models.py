"""The models that the program runs, and the names of their layers and parameters."""

import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count

from torch import Tensor
from torch.nn import Module
from torch.nn.parameter import is_lazy

from stetho.capture.source import name_in_frame
from stetho.capture.torch.models.ancestry import Ancestry
from stetho.records import SourceLine

WRAPPERS = {
    "DistributedDataParallel": "module",
    "DataParallel": "module",
    "OptimizedModule": "_orig_mod",
    "FullyShardedDataParallel": "_fsdp_wrapped_module",
}
"""Modules that only wrap another one: class name and the attribute it is kept under, which is left out of names."""


@dataclass(slots=True, eq=False)
class Layer:
    """One module of a model."""

    ref: weakref.ref[Module]
    model: int
    name: str
    kind: str
    registered: bool = True
    also: list[str] = field(default_factory=list)
    given_twice: bool = False
    own_parameters: int = 0
    constructed: SourceLine | None = None
    """Of a module that may be gone by the time it is described."""
    called: SourceLine | None = None
    calls: int = 0
    output: str | None = None
    between: list[dict[str, object]] = field(default_factory=list)
    begun: int = 0
    carried: int = 0
    blank: int = 0
    rows_asked: Tensor | None = None
    highest_asked: Tensor | None = None
    at_end: Tensor | None = None
    """For an embedding: how often its last row was asked for, and any row."""
    series: dict[object, int] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Weight:
    """One parameter, by the first name it has."""

    ref: weakref.ref[Tensor]
    model: int
    name: str
    also: list[str] = field(default_factory=list)
    series: dict[object, int] = field(default_factory=dict)
    as_made: bool | None = None
    reached: bool = False


@dataclass(slots=True, eq=False)
class Model:
    """A top module and everything below it."""

    id: int
    ref: Callable[[], Module | None]
    label: str
    layers: dict[int, Layer] = field(default_factory=dict)
    weights: dict[int, Weight] = field(default_factory=dict)
    edges: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    wrapper: str | None = None
    compiled: bool = False


class Models:
    """All models seen so far; layers and parameters are found by identity."""

    def __init__(self, ancestry: Ancestry) -> None:
        self._ancestry = ancestry
        self.all: list[Model] = []
        self.revision = 0  # grows when a layer or a parameter is new or has another name
        self.count_calls: Callable[[], None] = lambda: None
        self._loose: Model | None = None
        self._layers: dict[int, Layer] = {}
        self._weights: dict[int, Weight] = {}

    def layer(self, module: Module) -> Layer | None:
        """What is known of a module; None if it belongs to no model seen so far."""
        found = self._layers.get(id(module))
        return found if found is not None and found.ref() is module else None

    def entry(self, module: Module, frame: object = None) -> Layer | None:
        """The layer that a call from outside stands for: the module's own, or that of the module it only wraps."""
        if self._ancestry.initialised.is_on:
            self._ancestry.initialised.rest(lambda parameter: self.weight(parameter) is None)
        inner = unwrapped(module)
        known = self.layer(inner)
        if known is None or (inner is not module and self.all[known.model].ref() is not self._ancestry.top(module)):
            self.adopt(module, frame)
            known = self.layer(inner)
        return known

    def model_of(self, module: Module) -> Model:
        """The model that a module is known to be a part of, or the one that it belongs to."""
        known = self.layer(module)
        return self.all[known.model] if known is not None else self.adopt(module)

    def weight(self, parameter: Tensor) -> Weight | None:
        """What is known of a parameter."""
        found = self._weights.get(id(parameter))
        return found if found is not None and found.ref() is parameter else None

    def adopt(self, module: Module, frame: object = None) -> Model:
        """The model that a module belongs to, made when it is new."""
        top = self._ancestry.top(module)
        for model in self.all:
            if model.ref() is top:
                self.refresh(model)
                return model
        inside = {id(child) for child in top.modules()}
        parts = [model for model in self.all if id(model.ref()) in inside]
        if parts:
            # What we met first may have become a part since, or have been wrapped: the whole takes its place and id.
            model, *others = parts
            if model.ref() is not unwrapped(top):
                model.label = self._label(top, frame)
            model.ref = weakref.ref(top)
            for other in others:
                other.ref = lambda: None
            self.refresh(model)
            return model
        model = Model(len(self.all), weakref.ref(top), self._label(top, frame))
        self.all.append(model)
        self.refresh(model)
        return model

    def adopt_loose(self, parameters: list[tuple[str | None, Tensor]]) -> int:
        """Parameters that no module holds, under the names that the program gives them, or numbered; their model."""
        if self._loose is None:
            self._loose = Model(len(self.all), lambda: None, "parameters")
            self.all.append(self._loose)
        for name, parameter in parameters:
            if self.weight(parameter) is None:
                self._add_weight(self._loose, _free_name(self._loose, name), parameter)
        return self._loose.id

    def adopt_foreign(self, module: Module, model: Model) -> Layer:
        """A module that is called inside a model without being registered in it."""
        line = self._ancestry.line(module)
        place = f"@{line.file.rpartition('/')[2]}:{line.line}" if line is not None else ""
        kind = type(module).__name__
        alike = [one for one in model.layers.values() if not one.registered and one.name.startswith(kind + place)]
        # Made anew in each pass, it is still the same layer to the reader; two that live side by side are not.
        layer = next((one for one in alike if one.ref() is None), None)
        if layer is None:
            number = f"#{len(alike) + 1}" if alike else ""
            name = kind + place + number
            layer = Layer(weakref.ref(module), model.id, name, kind, registered=False, constructed=line)
        layer.ref = weakref.ref(module)
        self.revision += 1
        layer.own_parameters = sum(p.numel() for p in module.parameters(recurse=False) if not is_lazy(p))
        model.layers = {key: one for key, one in model.layers.items() if one is not layer} | {id(module): layer}
        self._layers[id(module)] = layer
        return layer

    def refresh(self, model: Model) -> None:
        """Read the names again: layers may have been added or replaced."""
        top = model.ref()
        if top is None:
            return
        model.wrapper = type(top).__name__ if type(top).__name__ in WRAPPERS else None
        again: dict[int, list[str]] = {}
        for name, module in list(_walk(top, again=again)):
            known = self.layer(module)
            if known is None or known.name != name or not known.registered:
                if known is not None and known.registered and self._is_shared(module, known, model):
                    continue
                if known is not None:
                    self.all[known.model].layers.pop(id(module), None)
                known = Layer(weakref.ref(module), model.id, name, type(module).__name__)
                self.revision += 1
                model.layers[id(module)] = self._layers[id(module)] = known
            known.also = again.get(id(module), [])
        self._read_weights(model, top)

    def _is_shared(self, module: Module, known: Layer, model: Model) -> bool:
        """Whether a module that a model holds is, and stays, a layer of another one too."""
        other = self.all[known.model].ref()
        return known.model != model.id and other is not None and any(child is module for child in other.modules())

    def _read_weights(self, model: Model, top: Module) -> None:
        first: set[int] = set()
        for name, module in _walk(top):
            for short, parameter in module._parameters.items():
                if parameter is not None:
                    self._add_weight(
                        model, f"{name}.{short}" if name else short, parameter, is_first=id(parameter) not in first
                    )
                    first.add(id(parameter))

    def _add_weight(self, model: Model, name: str, parameter: Tensor, *, is_first: bool = True) -> None:
        known = self.weight(parameter)
        if known is not None and known.model != model.id and self.all[known.model].ref() is not None:
            return  # It belongs to another model as well.
        if known is not None and known.model == model.id and not is_first:
            known.also += [name] if name not in known.also else []
        elif known is None or known.model != model.id or known.name != name:
            if known is not None:
                self.all[known.model].weights.pop(id(parameter), None)
            self.revision += 1
            # One that has another name now, as pruning gives it, is the one that was reached before.
            weight = Weight(weakref.ref(parameter), model.id, name, reached=known is not None and known.reached)
            model.weights[id(parameter)] = self._weights[id(parameter)] = weight

    def _label(self, top: Module, frame: object) -> str:
        inner = unwrapped(top)
        plain = type(inner).__module__.startswith("torch.nn")
        named = name_in_frame(top, frame) if plain else None  # type: ignore[arg-type]  # frames come untyped from hooks
        label = named or type(inner).__name__
        taken = {model.label for model in self.all}
        return label if label not in taken else f"{label}#{sum(one.startswith(label) for one in taken) + 1}"


def _free_name(model: Model, name: str | None) -> str:
    """The name itself, or with a number where it is taken or there is none."""
    taken = {weight.name for weight in model.weights.values() if weight.ref() is not None}
    if name is not None and name not in taken:
        return name
    return next(each for number in count() if (each := f"{name or 'parameter'}{number}") not in taken)


def is_wrapper(module: Module) -> bool:
    """Whether a module only wraps another one."""
    return type(module).__name__ in WRAPPERS


def unwrapped(module: Module) -> Module:
    """The module inside of wrappers, itself if it is none.

    >>> import torch
    >>> unwrapped(torch.nn.Identity())
    Identity()
    """
    while (attribute := WRAPPERS.get(type(module).__name__)) is not None:
        inner = module._modules.get(attribute)
        if inner is None:
            break
        module = inner
    return module


def _walk(
    module: Module, name: str = "", seen: set[int] | None = None, again: dict[int, list[str]] | None = None
) -> Iterator[tuple[str, Module]]:
    """`named_modules()` without the prefixes of wrappers; a wrapper itself has no name of its own.

    Other names of a module that was met already go into `again`.
    """
    seen = set() if seen is None else seen
    if id(module) in seen:
        if again is not None:
            again.setdefault(id(module), []).append(name)
        return
    seen.add(id(module))
    hidden = WRAPPERS.get(type(module).__name__)
    if hidden is None:
        yield name, module
    for short, child in module._modules.items():
        if child is not None:
            below = name if short == hidden else (f"{name}.{short}" if name else short)
            yield from _walk(child, below, seen, again)


def describe(tensor: Tensor) -> str:
    """Shape and dtype in a few characters.

    >>> import torch
    >>> describe(torch.zeros(2, 3))
    'float32[2, 3]'
    """
    return f"{str(tensor.dtype).removeprefix('torch.')}{list(tensor.shape)}"
