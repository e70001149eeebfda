"""Random numbers in the workers of a loader: whether each of them draws the same ones. Nothing is drawn to find out."""

import dis
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

GENERATORS = (np.random.Generator, np.random.RandomState, random.Random, torch.Generator)
DRAWING = ("__getitem__", "__getitems__", "__iter__", "__call__", "forward")
OWN_SEED = frozenset(("get_worker_info", "initial_seed", "worker_id"))
DEPTH = 2


def own_generator(dataset: Any, depth: int = DEPTH) -> str | None:
    """The name of a generator that a data set, or a part of it, keeps and uses when it makes a sample.

    Workers get copies of the data set, so all of them draw the same numbers from it.

    >>> class Noisy:
    ...     def __init__(self): self.rng = np.random.default_rng(0)
    ...     def __getitem__(self, index): return index + self.rng.normal()
    >>> own_generator(Noisy())
    'rng'
    """
    try:
        held = dict(vars(dataset))
    except TypeError:
        return None
    used = _names_used(type(dataset))
    if used & OWN_SEED:
        return None
    name: str
    for name, value in held.items():
        if isinstance(value, GENERATORS) and name in used:
            return name
    for name, value in held.items():
        if depth > 0 and name in used and type(value).__module__ not in ("builtins", "torch", "numpy"):
            found = own_generator(value, depth - 1)
            if found is not None:
                return f"{name}.{found}"
    return None


def _names_used(kind: type) -> set[str]:
    """Names in the methods that make samples, and in the methods that those call."""
    names: set[str] = set()
    waiting = [*DRAWING]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        method = getattr(kind, name, None)
        code = getattr(method, "__code__", None)
        if name in seen or code is None:
            continue
        seen.add(name)
        names |= set(code.co_names)
        waiting += code.co_names
    return names


def seeds_all_alike(worker_init: Callable[..., Any] | None) -> bool:
    """Whether a `worker_init_fn` seeds without looking at which worker it is in.

    >>> seeds_all_alike(lambda worker: np.random.seed(0)), seeds_all_alike(lambda worker: np.random.seed(worker))
    (True, False)
    """
    code = getattr(worker_init, "__code__", None)
    if code is None or code.co_argcount != 1:
        return False
    reads_worker = any(
        code.co_varnames[0] in (step.argval if isinstance(step.argval, tuple) else (step.argval,))
        for step in dis.get_instructions(code)
        if step.opname.startswith(("LOAD_FAST", "LOAD_DEREF", "LOAD_CLOSURE"))
    )
    seeds = any("seed" in name for name in code.co_names)
    return seeds and not reads_worker and not OWN_SEED & set(code.co_names)
