"""Random generators of torch: their state, and how to put it back."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch


def torch_states() -> list[Callable[[], None]]:
    """How to put back the generator of the processor, and those of accelerators in use."""
    put_back: list[Callable[[], None]] = [partial(torch.set_rng_state, torch.get_rng_state())]
    if torch.cuda.is_available() and torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        put_back.append(partial(torch.cuda.set_rng_state_all, torch.cuda.get_rng_state_all()))
    return put_back


def generator_state(value: Any) -> Callable[[], None] | None:
    """How to put a generator back; None for anything else.

    >>> generator = torch.Generator().manual_seed(3)
    >>> put_back = generator_state(generator)
    >>> first = torch.rand(1, generator=generator)
    >>> put_back()
    >>> bool(torch.rand(1, generator=generator) == first)
    True
    """
    if not isinstance(value, torch.Generator):
        return None
    state = value.get_state()

    def put_back() -> None:
        value.set_state(state)

    return put_back


def seed_torch(seed: int) -> None:
    """Seed the generator of the processor alone: seeding all would wake up an accelerator."""
    torch.default_generator.manual_seed(seed)
