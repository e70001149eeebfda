"""Hooks of ours on single modules: on those that are called from outside, and on each layer if the program compiles."""

from collections.abc import Callable

import torch
from torch.nn import Module
from torch.utils.hooks import RemovableHandle

from stetho.capture.torch.models.copies import keep_out_of_copies
from stetho.capture.torch.models.models import Model
from stetho.capture.torch.patches import Patches

Around = tuple[Callable[..., None], Callable[..., None]]
"""What is called before and after a call of a module."""


class ModuleHooks:
    """Puts hooks on modules, at most one pair on each, and takes them away again; copies of a module have none.

    A scripted module takes no hooks of its own.
    """

    def __init__(self, entry: Around, layer: Around) -> None:
        self._entry = entry
        self._layer = layer
        self._handles: dict[int, list[RemovableHandle]] = {}

    def install(self, patches: Patches) -> None:
        """Keep our hooks to ourselves."""
        keep_out_of_copies(patches, lambda module: [handle.id for handle in self._on(module)])

    def are_on(self, module: Module) -> bool:
        """Whether a module has hooks of ours."""
        return bool(self._on(module))

    def watch_entry(self, module: Module) -> None:
        """Follow every call of a module that is called from outside."""
        if self._takes_hooks(module):
            begin, end = self._entry
            self._handles[id(module)] = [
                module.register_forward_pre_hook(begin, with_kwargs=True),
                module.register_forward_hook(end, always_call=True),
            ]

    def watch_layers(self, model: Model) -> None:
        """Follow the single layers of a model, for programs that compile."""
        top = model.ref()
        enter, leave = self._layer
        for module in top.modules() if top is not None else ():
            if self._takes_hooks(module):
                self._handles[id(module)] = [
                    module.register_forward_pre_hook(enter),
                    module.register_forward_hook(leave),
                ]

    def remove(self) -> None:
        """Take every hook away."""
        for handles in self._handles.values():
            for handle in handles:
                handle.remove()
        self._handles.clear()

    def _takes_hooks(self, module: Module) -> bool:
        return not self.are_on(module) and not isinstance(module, torch.jit.ScriptModule)

    def _on(self, module: Module) -> list[RemovableHandle]:
        """Our hooks on a module; none if they were on another one that died at the same address."""
        handles = self._handles.get(id(module), [])
        return handles if handles and handles[0].hooks_dict_ref() is module._forward_pre_hooks else []
