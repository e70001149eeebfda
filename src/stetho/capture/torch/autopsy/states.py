"""States of the framework that a replay needs: random generators, mixed precision, no compiler."""

import io
import random
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stderr, redirect_stdout

import torch
from torch import Tensor

from stetho.capture.torch.unheard import among_ourselves
from stetho.capture.unnoticed import without_logging, without_warnings

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


def eager() -> AbstractContextManager[object]:
    """What is compiled runs as it was written, so that its operations are seen."""
    if "torch._dynamo" not in sys.modules or not hasattr(torch.compiler, "set_stance"):
        # Who has not compiled anything need not wait for the compiler to be loaded.
        return nullcontext()
    stance: AbstractContextManager[object] = torch.compiler.set_stance("force_eager")
    return stance


@contextmanager
def unnoticed() -> Iterator[None]:
    """Nothing that the program could see: random states are put back, and nothing is printed or logged."""
    states, plain = random_states(), random.getstate()
    numpy = sys.modules.get("numpy")
    drawn = numpy.random.get_state() if numpy is not None else None
    try:
        silent = io.StringIO()
        # Where tensors are for inference only, operations are not taken apart into those that are known by name.
        plainly = torch.inference_mode(mode=False)
        with (
            redirect_stdout(silent),
            redirect_stderr(silent),
            without_warnings(),
            without_logging(),
            eager(),
            plainly,
            among_ourselves(),
        ):
            yield
    finally:
        set_random_states(states)
        random.setstate(plain)
        if numpy is not None:
            numpy.random.set_state(drawn)
