"""The names that a program gives to its models: variables that hold them where it runs."""

import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

from torch.nn import Module

from stetho.capture.source import is_user_code
from stetho.capture.torch.models.models import unwrapped

NOT_THEIRS = sys.stdlib_module_names | {"torch", "numpy", "stetho"}
"""Objects of these hold no model of a program's."""


def models_in_sight(frame: FrameType | None) -> list[tuple[Module, str]]:
    """The models with parameters that variables at a frame and above it hold, or objects in them; parts are none."""
    found: dict[int, tuple[Module, str]] = {}
    while frame is not None:
        if is_user_code(frame.f_code):
            for name, value in [*frame.f_locals.items(), *frame.f_globals.items()]:
                for model, text in _models(name, value):
                    found.setdefault(id(model), (model, text))
        frame = frame.f_back
    parts = {id(part) for model, _ in found.values() for part in model.modules() if part is not model}
    return [(model, name) for model, name in found.values() if id(model) not in parts]


def _models(name: str, value: Any) -> Iterator[tuple[Module, str]]:
    held: Any = ()
    if name.startswith("__") or isinstance(value, type):
        return
    if isinstance(value, Module):
        held = ((name, value),)
    elif isinstance(value, dict):
        held = ((f"{name}.{key}", each) for key, each in list(value.items()) if isinstance(key, str))
    elif isinstance(value, (tuple, list)):
        held = ((f"{name}.{place}", each) for place, each in enumerate(value[:16]))
    elif type(value).__module__.partition(".")[0] not in NOT_THEIRS:
        attributes = list(getattr(value, "__dict__", {}).items())
        held = ((key if name == "self" else f"{name}.{key}", each) for key, each in attributes)
    for text, each in held:
        if isinstance(each, Module) and next(each.parameters(), None) is not None:
            yield unwrapped(each), text
