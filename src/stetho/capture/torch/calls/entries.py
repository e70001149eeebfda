"""Modules that are called from outside: followed where the native kernel stands in for calls, else by hooks of ours."""

from torch.nn import Module

from stetho.capture.torch.calls.layer_hooks import LayerHooks
from stetho.capture.torch.calls.module_hooks import ModuleHooks


class Entries:
    """Sees to it that each call of such a module is heard of once."""

    def __init__(self, calls: LayerHooks, hooks: ModuleHooks) -> None:
        self._calls = calls
        self._hooks = hooks

    def watch(self, module: Module) -> None:
        """Follow every call of a module from now on."""
        # Through a module that has hooks torch takes a longer way, with more of its own frames on the stack.
        if not self.have(module) and not self._calls.follow(module):
            self._hooks.watch_entry(module)

    def have(self, module: Module) -> bool:
        """Whether its calls are followed."""
        return self._calls.follows(module) or self._hooks.are_on(module)

    def stay_away(self) -> None:
        """Nothing may stand in for calls any more: hooks take over."""
        followed = self._calls.followed()
        self._calls.stay_away()
        for module in followed:
            self._hooks.watch_entry(module)
