"""States of the framework that a replay needs: random generators and mixed precision."""

import torch
from torch import Tensor

Autocast = tuple[tuple[str, torch.dtype], ...]


def random_states() -> list[Tensor]:
    """The state of the generator of the CPU, then of those of the accelerators that are in use."""
    states = [torch.get_rng_state()]
    if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        states += torch.cuda.get_rng_state_all()
    return states


def set_random_states(states: list[Tensor]) -> None:
    """Put states back that `random_states` gave."""
    torch.set_rng_state(states[0])
    if len(states) > 1:
        torch.cuda.set_rng_state_all(states[1:])


def autocast_state() -> Autocast:
    """For which devices mixed precision is on, and in which type."""
    if not torch._C._is_any_autocast_enabled():
        return ()
    return tuple(
        (device, torch.get_autocast_dtype(device)) for device in ("cpu", "cuda") if torch.is_autocast_enabled(device)
    )
