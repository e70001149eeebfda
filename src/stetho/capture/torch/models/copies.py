"""Copies, pickles and scripts of modules: what the program makes of its modules under watch carries no hook of ours."""

import functools
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.nn import Module

from stetho.capture.torch.patches import Patches
from stetho.capture.torch.scripting import scripting

HOOKS = (
    "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs",
    "_forward_hooks",
    "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called",
)


def keep_out_of_copies(patches: Patches, ours: Callable[[Module], Collection[int]]) -> None:
    """Leave the hooks whose ids `ours` gives for a module out of its copies, pickles and scripts."""

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def reduce(module: Module, protocol: Any) -> Any:
            made = original(module, protocol)
            ids = ours(module)
            if not ids or not isinstance(made, tuple) or len(made) < 3 or not isinstance(made[2], dict):
                return made
            return (*made[:2], without_hooks(made[2], ids), *made[3:])

        return reduce

    # Both `copy` and `pickle` ask for the state of a module through this one method.
    patches.replace(Module, "__reduce_ex__", make)
    # TorchScript compiles the hooks that it finds on a module.
    patches.replace(torch.jit, "script", scripting(lambda top: hooks_taken_off(top, ours)))


@contextmanager
def hooks_taken_off(top: object, ours: Callable[[Module], Collection[int]]) -> Iterator[None]:
    """Show a module and its parts as they are without us; anything else is left alone."""
    full: list[tuple[dict[int, Any], list[tuple[int, Any]]]] = []
    for module in top.modules() if isinstance(top, Module) else ():
        ids = ours(module)
        for hooks in (vars(module).get(name) for name in HOOKS) if ids else ():
            if hooks:
                full.append((hooks, list(hooks.items())))
                for number in ids:
                    hooks.pop(number, None)
    try:
        yield
    finally:
        for hooks, before in full:
            hooks.clear()
            hooks.update(before)


def without_hooks(state: dict[str, Any], ids: Collection[int]) -> dict[str, Any]:
    """The state of a module without some of its hooks.

    >>> without_hooks({"_forward_hooks": {1: "theirs", 2: "ours"}, "training": True}, {2})
    {'_forward_hooks': {1: 'theirs'}, 'training': True}
    """
    fewer = {
        name: type(hooks)((key, hook) for key, hook in hooks.items() if key not in ids)
        for name in HOOKS
        if (hooks := state.get(name))
    }
    return {**state, **fewer}
