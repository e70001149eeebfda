"""What the code of a model may change outside of it: a copy of the model does not keep that to itself.

Counters, lists, replay buffers in variables of the module, of an enclosing function or of a class are saved, and
filled anew afterwards. Files, loggers and the like cannot be: those are named.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import CellType
from typing import Any

from torch.nn import Module

from stetho.capture.source import is_user_code
from stetho.capture.torch.probes.side_effects import TELLING, own_functions

COLLECTIONS = (dict, list, set, deque, bytearray)
SILENCED = frozenset(("print", "sleep"))
"""What leaves nothing behind: nothing is printed while we run code of the program's."""

NOBODYS = frozenset((object, Module))
"""Classes with many methods, none of which is the program's."""


class Contents:
    """A collection as it was. Who holds it goes on holding it: it is filled anew, and not replaced."""

    __slots__ = ("held", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.held = list(value.items() if isinstance(value, dict) else value)

    def put_back(self) -> None:
        """Fill it with what was in it."""
        if not (self.held or self.value):
            return
        if isinstance(self.value, dict | set):
            self.value.clear()
            self.value.update(self.held)
        elif isinstance(self.value, deque):
            self.value.clear()
            self.value.extend(self.held)
        else:
            self.value[:] = self.held


class Outside:
    """The variables of other scopes that some models and functions of the program's use."""

    def __init__(self, modules: Iterable[Module], functions: Iterable[Any] = ()) -> None:
        self._globals: list[tuple[dict[str, Any], str, Any]] = []
        self._cells: list[tuple[CellType, Any]] = []
        self._objects: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self._classes: dict[type, dict[str, Any]] = {}
        self._contents: dict[int, Contents] = {}
        self.modules: list[Module] = []
        """Those that functions use, and of which no copy is made."""
        self.lasting: str | None = None
        """A function that a model calls and whose effect cannot be undone: `Net.forward uses save`."""
        for kind in {type(part): None for module in modules for part in module.modules()}:
            self._keep_class(kind)
            for name, function in own_functions(kind):
                self._save(function)
                found = [each for each in function.__code__.co_names if each in TELLING - SILENCED]
                self.lasting = self.lasting or (f"{kind.__name__}.{name} uses `{found[0]}`" if found else None)
        for function in functions:
            self._keep(getattr(function, "__self__", None))
            if not isinstance(getattr(function, "__self__", None), Module):
                self._save(getattr(function, "__func__", function))

    @contextmanager
    def put_back(self) -> Iterator["Outside"]:
        """Undo at the end what can be undone."""
        try:
            yield self
        finally:
            for scope, name, value in self._globals:
                if scope.get(name) is not value:
                    scope[name] = value
            for cell, value in self._cells:
                cell.cell_contents = value
            for kind, held in self._classes.items():
                for name in vars(kind).keys() - held.keys():
                    delattr(kind, name)
                for name, value in held.items():
                    if vars(kind).get(name) is not value:
                        setattr(kind, name, value)
            for attributes, held in self._objects:
                attributes.clear()
                attributes.update(held)
            for contents in self._contents.values():
                contents.put_back()

    def _save(self, function: Any) -> None:
        scope = function.__globals__
        for name in function.__code__.co_names:
            if name in scope:
                self._globals.append((scope, name, scope[name]))
                self._keep(scope[name])
        for cell in function.__closure__ or ():
            try:
                value = cell.cell_contents
            except ValueError:  # not filled yet
                continue
            self._cells.append((cell, value))
            self._keep(value)

    def _keep(self, value: Any, depth: int = 0) -> None:
        if isinstance(value, COLLECTIONS):
            self._contents.setdefault(id(value), Contents(value))
        elif isinstance(value, Module):
            self.modules += value.modules()
        elif depth == 0 and isinstance(value, type):
            self._keep_class(value)
        elif depth == 0 and _is_users(value):
            attributes = vars(value)
            self._objects.append((attributes, dict(attributes)))
            for each in attributes.values():
                self._keep(each, depth + 1)

    def _keep_class(self, kind: type) -> None:
        """What a class has for all of its objects, and no copy of one of them has for itself."""
        for base in kind.__mro__:
            if base not in self._classes and base not in NOBODYS and _is_own(base):
                held = self._classes[base] = dict(vars(base))
                for value in held.values():
                    self._keep(value, 1)


def is_own(function: Any) -> bool:
    """Whether it is a function of the program's, or a module that is called as one; operations of torch are neither."""
    code = getattr(function, "__code__", None)
    return isinstance(getattr(function, "__self__", None), Module) or (code is not None and is_user_code(code))


def _is_own(kind: type) -> bool:
    """Whether a class is the program's: one of its methods is."""
    codes = (getattr(getattr(each, "__func__", each), "__code__", None) for each in vars(kind).values())
    return any(code is not None and is_user_code(code) for code in codes)


def _is_users(value: Any) -> bool:
    """Whether it is an object of a class of the program's, and no model: those are copied."""
    code = getattr(type(value).__init__, "__code__", None)
    is_object = hasattr(value, "__dict__") and not isinstance(value, type | Module)
    return is_object and code is not None and is_user_code(code)
