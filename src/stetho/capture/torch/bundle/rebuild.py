"""Runs the step of a bundle again. Imports nothing of stetho: the text of this file goes into tests that stand alone.

A bundle is code of the program's and its data; whoever runs it runs that code.
"""

import ast
import contextlib
import dataclasses
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Any

import torch

HARMLESS = {"device", "dict", "list", "tuple", "set", "range", "int", "float", "str", "len", "max", "min", "sqrt"} | {
    "namedtuple",
    "TypeVar",
    "field",
}
"""Calls that a constant may be made with."""


def leaves(value: Any) -> Iterator[torch.Tensor]:
    """The tensors in a value, in their order."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from leaves(item)
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from leaves(item)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for entry in dataclasses.fields(value):
            yield from leaves(getattr(value, entry.name, None))


def definitions(source: str, file: str, name: str) -> ModuleType:
    """A module with the classes, functions and plain constants of a file, without running what else it does."""
    module = ModuleType(name)
    module.__file__ = file
    kept = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)
    for node in ast.parse(source).body:
        is_constant = isinstance(node, (ast.Assign, ast.AnnAssign)) and _is_harmless(node)
        if isinstance(node, kept) or is_constant:
            with contextlib.suppress(Exception):
                exec(compile(ast.Module([node], []), file, "exec"), vars(module))
    return module


def _is_harmless(node: ast.AST) -> bool:
    calls = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    return all(getattr(call, "id", getattr(call, "attr", "")) in HARMLESS for call in calls)


class Step:
    """The recorded step. `run` makes it happen again; then `loss` and `gradients` are what came of it."""

    def __init__(self, document: Mapping[str, Any], tensors: Mapping[str, torch.Tensor]) -> None:
        self._document = document
        self._stored = tensors
        self._now: dict[str, torch.Tensor] = {}
        self._modules: dict[int, torch.nn.Module] = {}
        self._sources: dict[str, ModuleType] = {}
        self.loss: torch.Tensor | None = None
        self.gradients: dict[str, torch.Tensor] = {}
        self.on_line: Callable[[str | None, str], None] = lambda _line, _phase: None

    # ---- from the document to objects

    def tensor(self, key: str) -> torch.Tensor:
        """A tensor of the step, as it is now."""
        if key not in self._now:
            facts = self._document["tensors"][key]
            stored = self._stored[key].clone()
            if facts.get("parameter"):
                stored = torch.nn.Parameter(stored, requires_grad=facts["grad"])
            elif facts["grad"]:
                stored.requires_grad_()
            self._now[key] = stored
        return self._now[key]

    def value(self, code: Any) -> Any:
        """What a piece of the document stands for."""
        if not isinstance(code, dict):
            return code
        kind, content = next(iter(code.items()))
        if kind in ("list", "tuple", "set"):
            return {"list": list, "tuple": tuple, "set": set}[kind](self.value(each) for each in content)
        if kind == "dict":
            return {self.value(key): self.value(item) for key, item in content}
        if kind == "object":
            return self._object(self.name(content[0]), {key: self.value(item) for key, item in content[1].items()})
        read: dict[str, Callable[[Any], Any]] = {
            "tensor": self.tensor,
            "module": self.module,
            "float": float,
            "dtype": lambda name: getattr(torch, name),
            "device": torch.device,
            "size": torch.Size,
            "slice": lambda parts: slice(*map(self.value, parts)),
            "range": lambda parts: range(*parts),
            "ellipsis": lambda _: ...,
            "name": self.name,
            "left out": lambda _: None,
        }
        return read[kind](content)

    def _object(self, kind: Any, fields: dict[str, Any]) -> Any:
        if hasattr(kind, "_fields"):
            return kind(**fields)
        made = kind.__new__(kind)
        for key, item in fields.items():
            object.__setattr__(made, key, item)
        if isinstance(made, dict):
            made.update({key: item for key, item in fields.items() if item is not None})
        return made

    def name(self, path: list[str]) -> Any:
        """A class or a function, by module and name."""
        module, name = path
        home: Any = self._home(module)
        if "<locals>" in name:
            return self._local(module, name.rpartition(".")[2])
        for part in name.split("."):
            home = getattr(home, part)
        return home

    def _home(self, module: str) -> Any:
        source = self._document["sources"].get(module)
        if source is None:
            return importlib.import_module(module)
        if module not in self._sources:
            folder = source["file"].rpartition("/")[0]
            if folder and folder not in sys.path:
                sys.path.append(folder)
            name = f"bundled_{module.strip('_')}"
            self._sources[module] = sys.modules[name] = definitions(source["text"], source["file"], name)
        return self._sources[module]

    def _local(self, module: str, name: str) -> Any:
        """A class that is defined inside of a function: without what that function knows."""
        source, home = self._document["sources"][module], self._home(module)
        for node in ast.walk(ast.parse(source["text"])):
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name:
                exec(compile(ast.Module([node], []), source["file"], "exec"), vars(home))
                return getattr(home, name)
        raise AttributeError(f"{name} is not defined in {source['file']}")

    def module(self, number: int) -> torch.nn.Module:
        """A module with its parameters, buffers, parts and plain attributes; its constructor is not called."""
        if number in self._modules:
            return self._modules[number]
        facts = self._document["modules"][number]
        kind = self.name(facts["class"])
        made: torch.nn.Module = kind.__new__(kind)
        torch.nn.Module.__init__(made)
        self._modules[number] = made
        for name, code in facts["parameters"].items():
            made.register_parameter(name, self.value(code))
        for name, code in facts["buffers"].items():
            made.register_buffer(name, self.value(code))
        for name, child in facts["children"].items():
            made.add_module(name, self.module(child) if child is not None else None)
        for name, code in facts["attributes"].items():
            made.__dict__[name] = self.value(code)
        made.training = facts["training"]
        return made

    def prepare(self) -> None:
        """Make every tensor and every model of the step."""
        for key in self._document["tensors"]:
            self.tensor(key)
        for event in self._document["events"]:
            if event["kind"] == "call":
                self.module(event["module"])

    # ---- the step

    def run(self) -> "Step":
        """Everything in its order."""
        for event in self._document["events"]:
            {"call": self._call, "operation": self._operation, "backward": self._backward}[event["kind"]](event)
        leaf = {key: tensor for key, tensor in self._now.items() if tensor.is_leaf}
        self.gradients = {key: tensor.grad for key, tensor in leaf.items() if tensor.grad is not None}
        return self

    @property
    def is_finite(self) -> bool:
        """Whether loss and gradients are all numbers."""
        found = [*self.gradients.values(), *([self.loss] if self.loss is not None else [])]
        return all(bool(torch.isfinite(each.detach().to_dense()).all()) for each in found)

    @property
    def is_high(self) -> bool:
        """Whether the loss is above what the losses before let expect."""
        limit, loss = self._document.get("loss_limit"), self.loss_value
        return limit is not None and loss is not None and loss > limit

    @property
    def loss_value(self) -> float | None:
        """The loss as a number."""
        return float(self.loss.detach().double().mean()) if self.loss is not None else None

    def _call(self, event: Mapping[str, Any]) -> None:
        module = self.module(event["module"])
        args, kwargs = self.value(event["args"]), self.value(event["kwargs"])
        torch.set_rng_state(self._stored[event["random"]])
        self.on_line(event["line"], "forward")
        with torch.set_grad_enabled(event["grad"]), mixed(event["autocast"]):
            output = module(*args, **kwargs)
        self._made(event["results"], output)

    def _operation(self, event: Mapping[str, Any]) -> None:
        function = self._function(event)
        args, kwargs = self.value(event["args"]), self.value(event["kwargs"])
        if event["random"] is not None:
            torch.set_rng_state(self._stored[event["random"]])
        self.on_line(event["line"], "loss")
        with torch.set_grad_enabled(event["grad"]), mixed(event["autocast"]):
            result = function(*args, **kwargs)
        self._made(event["results"], result)

    def _function(self, event: Mapping[str, Any]) -> Any:
        if "module" in event:
            return self.module(event["module"])
        function: Any = self.name(event["of"]) if "of" in event else torch
        if event["function"] == "call":
            # What was compiled is run as it was written.
            function = getattr(function, "_torchdynamo_orig_callable", function)
            function.__globals__.update({name: self.value(value) for name, value in event["globals"].items()})
            return function
        for part in event["function"].removeprefix("torch.").split("."):
            function = getattr(function, part)
        return function

    def _backward(self, event: Mapping[str, Any]) -> None:
        self.on_line(None, "backward")
        if event["loss"] in self._now:
            self.loss = self._now[event["loss"]]
            if self.loss.requires_grad:
                torch.autograd.backward([self.loss], [torch.ones_like(self.loss)], retain_graph=True)
            return
        roots = [(self._now[key], self._stored[grad]) for key, grad in event["gradients"] if key in self._now]
        if roots:
            torch.autograd.backward([root for root, _ in roots], [grad for _, grad in roots])

    def _made(self, keys: list[str], result: Any) -> None:
        self._now |= dict(zip(keys, leaves(result), strict=False))


@contextlib.contextmanager
def mixed(state: list[list[str]]) -> Iterator[None]:
    """Mixed precision as it was."""
    with contextlib.ExitStack() as stack:
        for device, dtype in state:
            stack.enter_context(torch.autocast(device, dtype=getattr(torch, dtype), cache_enabled=False))
        yield
