"""From live objects to the document of a bundle: plain JSON, and tensors by name. Nothing is pickled."""

import dataclasses
import importlib
import sys
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module, Parameter

from stetho.capture.source import is_user_code
from stetho.capture.torch.autopsy.carried import Carried
from stetho.capture.torch.bundle.rebuild import leaves

OF_MODULES = frozenset(vars(Module()))
DEEPEST = 12


class Encoder:
    """Collects what it meets: tensors by key, modules by number, sources by module name."""

    def __init__(self, sources: Mapping[str, dict[str, str]] | None = None) -> None:
        self._bundled = {f"bundled_{name.strip('_')}": (name, source) for name, source in (sources or {}).items()}
        self.tensors: dict[str, Tensor] = {}
        self.facts: dict[str, dict[str, Any]] = {}
        self.modules: list[dict[str, Any]] = []
        self.sources: dict[str, dict[str, str]] = {}
        self.left_out: list[str] = []
        self._keys: dict[int, str] = {}
        self._carried: dict[int, dict[str, Any]] = {}
        self._numbers: dict[int, int] = {}
        self._alive: list[object] = []

    def key(self, tensor: Tensor, *, made: bool = False, content: Tensor | None = None) -> str:
        """The key of a tensor; its content is stored unless the step itself makes it."""
        known = self._keys.get(id(tensor))
        if known is None:
            known = self._keys[id(tensor)] = f"t{len(self._keys)}"
            self._alive.append(tensor)
            if not made:
                self.facts[known] = {"grad": tensor.requires_grad, "parameter": isinstance(tensor, Parameter)}
                self.tensors[known] = stored(tensor if content is None else content)
        return known

    def begins_with(self, carried: list[Carried]) -> None:
        """Modules are written down as they were before their first call, which may have changed them."""
        for each in carried:
            if id(each.part) in self._carried:
                continue
            self._carried[id(each.part)] = each.attributes
            self._alive.append(each.part)
            for name, kept in each.buffers.items():
                if (now := each.part._buffers.get(name)) is not None:
                    self.key(now, content=kept)

    def state(self, tensor: Tensor) -> str:
        """The key of a tensor that is stored as it is now and stands for nothing else."""
        name = f"s{len(self.tensors)}"
        self.tensors[name] = stored(tensor)
        return name

    def results(self, value: Any) -> list[str]:
        """The keys of what a call gave back."""
        return [self.key(tensor, made=True) for tensor in leaves(value)]

    def module(self, module: Module) -> int:
        """The number of a module, which is written down with all its parts."""
        known = self._numbers.get(id(module))
        if known is not None:
            return known
        number = self._numbers[id(module)] = len(self.modules)
        self._alive.append(module)
        facts: dict[str, Any] = {"training": module.training}
        self.modules.append(facts)
        facts["class"] = self.name(type(module))
        facts["parameters"] = {name: self.value(tensor) for name, tensor in module._parameters.items()}
        facts["buffers"] = {name: self.value(tensor) for name, tensor in module._buffers.items()}
        facts["children"] = {
            name: self.module(child) if child is not None else None for name, child in module._modules.items()
        }
        facts["attributes"] = {
            name: self.value(value, f"{type(module).__name__}.{name}")
            for name, value in (vars(module) | self._carried.get(id(module), {})).items()
            if name not in OF_MODULES
        }
        return number

    def name(self, thing: Any) -> list[str]:
        """Where a class or a function can be found again; its source is kept if it is the program's own."""
        module, name = thing.__module__, thing.__qualname__
        if module in self._bundled:
            # It came out of a bundle itself: the file that it was in may be gone.
            module, source = self._bundled[module]
            self.sources[module] = source
            return [module, name]
        file = getattr(sys.modules.get(module), "__file__", None)
        if file is not None and module not in self.sources and _is_users(file):
            path = Path(file).absolute()
            self.sources[module] = {"file": str(path), "text": path.read_text(encoding="utf-8")}
        return [module, name]

    def value(self, value: Any, path: str = "", depth: int = 0) -> Any:
        """Any value as JSON; what has no such form is left out and listed."""
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, float):
            return value if value == value and abs(value) != float("inf") else {"float": str(value)}
        if isinstance(value, Tensor):
            return {"tensor": self.key(value)}
        if isinstance(value, Module):
            return {"module": self.module(value)}
        if depth < DEEPEST:
            made = self._collection(value, path, depth + 1)
            if made is not None:
                return made
        return self._other(value, path)

    def _collection(self, value: Any, path: str, depth: int) -> Any:
        if isinstance(value, torch.Size):
            return {"size": list(value)}
        kind = type(value)
        if kind in (list, tuple, set, frozenset):
            name = "list" if kind is list else "tuple" if kind is tuple else "set"
            return {name: [self.value(each, path, depth) for each in value]}
        if kind is dict:
            return {"dict": [[self.value(k, path, depth), self.value(v, path, depth)] for k, v in value.items()]}
        if hasattr(value, "_fields") or (dataclasses.is_dataclass(value) and not isinstance(value, type)):
            names = value._fields if hasattr(value, "_fields") else [field.name for field in dataclasses.fields(value)]
            fields = {name: self.value(getattr(value, name), f"{path}.{name}", depth) for name in names}
            return {"object": [self.name(kind), fields]}
        if isinstance(value, Mapping):
            return self._collection(dict(value), path, depth)
        return None

    def _other(self, value: Any, path: str) -> Any:
        if isinstance(value, torch.dtype):
            return {"dtype": str(value).removeprefix("torch.")}
        if isinstance(value, torch.device):
            return {"device": str(value)}
        if isinstance(value, slice):
            return {"slice": [self.value(each) for each in (value.start, value.stop, value.step)]}
        if isinstance(value, range):
            return {"range": [value.start, value.stop, value.step]}
        if value is ...:
            return {"ellipsis": True}
        if _is_findable(value):
            return {"name": self.name(value)}
        known = torch.overrides.resolve_name(value) if callable(value) else None
        if known is not None and known.startswith("torch."):
            return {"name": ["torch", known.removeprefix("torch.")]}
        if not isinstance(value, weakref.ReferenceType):
            # What is only pointed at, as recurrent layers do to their own weights, is held elsewhere.
            self.left_out.append(f"{path or 'a value'} ({type(value).__name__})")
        return {"left out": type(value).__name__}


def stored(tensor: Tensor) -> Tensor:
    """A tensor as safetensors takes it: on the CPU, dense, contiguous, with memory of its own."""
    plain = tensor.detach()
    plain = plain.to_dense() if plain.layout is not torch.strided else plain
    return plain.resolve_conj().resolve_neg().cpu().clone(memory_format=torch.contiguous_format)


def _is_users(file: str) -> bool:
    return file.endswith(".py") and is_user_code(compile("", file, "exec"))


def _is_findable(value: Any) -> bool:
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or "<" in name:
        return False
    home: Any = sys.modules.get(module) or _imported(module)
    for part in name.split("."):
        home = getattr(home, part, None)
    return home is value


def _imported(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        return None
