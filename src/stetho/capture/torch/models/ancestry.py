"""Who holds whom: the parents of modules, the owners of parameters, and the lines where layers were made.

Learnt while the program builds its models, through the framework's registration hooks; everything is held weakly.
"""

import sys
import weakref
from types import FrameType

import torch
from torch import Tensor
from torch.nn import Module
from torch.nn.modules.module import (
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
)
from torch.utils.hooks import RemovableHandle

from stetho.capture.by_identity import ByIdentity
from stetho.capture.guard import Guard
from stetho.capture.source import is_own_code, is_user_code, line_of, user_frame
from stetho.capture.torch.models.initialised import Initialised
from stetho.capture.torch.patches import Patches
from stetho.records import SourceLine

_MODULES = torch.nn.Module.__init__.__code__.co_filename


class Ancestry:
    """Parents, owners and construction lines of everything built while we watch."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._parents: ByIdentity[weakref.ref[Module]] = ByIdentity()
        self._lines: ByIdentity[SourceLine] = ByIdentity()
        self._owners: dict[int, weakref.ref[Module]] = {}
        self._made: dict[int, SourceLine] = {}
        self._handles: list[RemovableHandle] = []
        self.initialised = Initialised(guard)

    def install(self, patches: Patches) -> None:
        """Begin to learn."""
        note_child = self._guard.wrap("module registered", self._note_child)
        note_parameter = self._guard.wrap("parameter registered", self._note_parameter)
        note_line = self._guard.wrap("module constructed", self._note_line)
        self._handles = [
            register_module_module_registration_hook(lambda *event: note_child(*event)),
            register_module_parameter_registration_hook(lambda *event: note_parameter(*event)),
        ]
        patches.around(torch.nn.Module, "__init__", before=lambda module, *_, **__: note_line(module))
        self.initialised.install()

    def remove(self) -> None:
        """Stop learning and forget."""
        for handle in self._handles:
            handle.remove()
        self.initialised.clear()
        self._parents.clear()
        self._lines.clear()
        self._owners.clear()
        self._made.clear()

    def top(self, module: Module) -> Module:
        """The outermost module that holds `module`, itself if none does."""
        for _ in range(64):
            parent = self._parents.get(module)
            holder = parent() if parent is not None else None
            if holder is None or not any(child is module for child in holder._modules.values()):
                break
            module = holder
        return module

    def owner(self, parameter: Tensor) -> Module | None:
        """The module that holds a parameter, if it was registered under our eyes."""
        reference = self._owners.get(id(parameter))
        module = reference() if reference is not None else None
        if module is None or not any(held is parameter for held in module._parameters.values()):
            return None
        return module

    def set_at(self, parameter: Tensor) -> str | None:
        """Where the program set the values of a parameter; of one that a class of its own holds, where it is made."""
        line = self.initialised.line(parameter)
        made = self._made.get(id(parameter)) if line is None and self.owner(parameter) is not None else None
        return str(made) if made is not None else line

    def line(self, module: Module) -> SourceLine | None:
        """Where in the user's code the module was constructed."""
        return self._lines.get(module)

    def _note_child(self, parent: Module, _name: str, child: Module | None) -> None:
        if child is not None and child is not parent:
            self._parents[child] = weakref.ref(parent)
            if child not in self._lines:
                # A copy is never constructed: where it gets its place is as near as we come.
                line = line_of(user_frame(sys._getframe(1)))
                if line is not None:
                    self._lines[child] = line

    def _note_parameter(self, module: Module, _name: str, parameter: Tensor | None) -> None:
        if parameter is not None:
            self._owners[id(parameter)] = weakref.ref(module)
            self._made.pop(id(parameter), None)
            frame: FrameType | None = sys._getframe(1)
            while frame is not None and (is_own_code(frame.f_code) or frame.f_code.co_filename == _MODULES):
                frame = frame.f_back
            # What a layer of a library registers is told by the line of the layer.
            if frame is not None and is_user_code(frame.f_code):
                self._made[id(parameter)] = SourceLine(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)

    def _note_line(self, module: Module) -> None:
        if module in self._lines:
            return
        line = line_of(_constructing_frame(module))
        if line is not None:
            self._lines[module] = line


def _constructing_frame(module: Module) -> FrameType | None:
    """The user's frame that called the class, not the `__init__` of the class itself."""
    frame = user_frame(sys._getframe(1))
    while frame is not None and frame.f_code.co_name == "__init__" and _first_argument(frame) is module:
        frame = user_frame(frame.f_back)
    return frame


def _first_argument(frame: FrameType) -> object:
    names = frame.f_code.co_varnames
    return frame.f_locals.get(names[0]) if names else None
