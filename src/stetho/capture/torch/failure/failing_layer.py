"""The layer in which an error arose: its name in the model, its settings, where it was built."""

import linecache
from collections.abc import Sequence
from itertools import chain
from types import CodeType

from torch.nn import Module, Sequential

from stetho.capture.frames import Place
from stetho.capture.source import is_user_code, name_in_frame
from stetho.capture.torch.failure.tensors import line_for
from stetho.explaining.scene import LayerFacts, Made


def module_of(place: Place) -> Module | None:
    """The module whose method a frame runs."""
    first = place.parameters[:1]
    owner = place.frame.f_locals.get(first[0]) if first else None
    # Before its `__init__` was called, a module is not one yet.
    return owner if isinstance(owner, Module) and "_modules" in vars(owner) else None


def layer_facts(places: Sequence[Place], called: Sequence[tuple[int, Module]], own: int) -> LayerFacts | None:
    """What is known of the innermost module among the frames, which `called` lists with their numbers."""
    if not called:
        return None
    module = called[-1][1]
    name = _layer_name(places, called, own)
    first = next(chain(module.parameters(recurse=False), module.parameters()), None)
    return LayerFacts(
        name,
        type(module).__name__,
        _settings(module, places[called[-1][0]]),
        dtype=str(first.dtype).removeprefix("torch.") if first is not None and not module._modules else None,
        device=str(first.device) if first is not None and not module._modules else None,
        built=_built(module, name, called),
        after=_before_in_chain(called),
    )


def _layer_name(places: Sequence[Place], called: Sequence[tuple[int, Module]], own: int) -> str:
    """The name in the outermost model that was called, or the variable that the user keeps the module in."""
    (first, top), (_, module) = called[0], called[-1]
    if module is not top:
        found = next((name for name, each in top.named_modules() if each is module), None)
        if found is not None:
            return str(found)
    frames = [
        place.frame for place in places[: max(first, own) + 1] if place.is_user and module_of(place) is not module
    ]
    return next((name for frame in reversed(frames) if (name := name_in_frame(module, frame))), "")


def _settings(module: Module, place: Place) -> dict[str, object]:
    """Plain attributes, or, while the module is being made, the plain arguments of its constructor."""
    plain = {key: value for key, value in vars(module).items() if _is_plain(value) and not key.startswith("_")}
    if place.function == "__init__":
        plain |= {key: value for key in place.parameters if _is_plain(value := place.frame.f_locals.get(key))}
    if "_modules" in vars(module):
        plain["children"] = tuple(module._modules)
    return plain


def _is_plain(value: object) -> bool:
    if type(value) is tuple:
        return all(type(each) is int for each in value)
    return type(value) in (int, float, bool, str)


def _built(module: Module, name: str, called: Sequence[tuple[int, Module]]) -> Made | None:
    """The line of the user's class that assigns the layer, or the container that it is in."""
    top = called[0][1]
    while name and module is not top:
        parent_name, _, attribute = name.rpartition(".")
        made = _assigned(type(top.get_submodule(parent_name)), attribute)
        if made is not None:
            return made
        name = parent_name
    return None


def _assigned(owner: type[Module], attribute: str) -> Made | None:
    """The line of a class's own `__init__` that assigns an attribute."""
    code = getattr(owner.__init__, "__code__", None)
    if not isinstance(code, CodeType) or not is_user_code(code):
        return None
    for number in sorted({line for *_, line in code.co_lines() if line is not None}):
        text = linecache.getline(code.co_filename, number).strip()
        if text.startswith(f"self.{attribute} ="):
            return Made(f"{code.co_filename}:{number}", text)
    return None


def _before_in_chain(called: Sequence[tuple[int, Module]]) -> str | None:
    """The layer before this one in a Sequential."""
    module = called[-1][1]
    for _, owner in reversed(called[:-1]):
        if isinstance(owner, Sequential):
            chain_of = list(owner._modules.items())
            index = next((number for number, (_, each) in enumerate(chain_of) if each is module), 0)
            if index:
                name, before = chain_of[index - 1]
                return f"`{name}` {line_for(before)}"
    return None
