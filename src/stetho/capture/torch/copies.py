"""Copies and pickles of modules: what the program makes of its modules under watch carries no hook of ours."""

import functools
from collections.abc import Callable, Collection
from typing import Any

from torch.nn import Module

from stetho.capture.torch.patches import Patches

HOOKS = (
    "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs",
    "_forward_hooks",
    "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called",
)


def keep_out_of_copies(patches: Patches, ours: Callable[[Module], Collection[int]]) -> None:
    """Leave the hooks whose ids `ours` gives for a module out of its copies and pickles."""

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
