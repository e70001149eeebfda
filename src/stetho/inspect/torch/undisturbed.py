"""A model is left as it was found: its state, its attributes, the random numbers, compiled parts, gradients."""

import copy
import random
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import torch
from torch.nn import Module
from torch.nn.parameter import is_lazy

from stetho.capture.torch.autopsy.copied import Copies
from stetho.capture.torch.autopsy.states import random_states, set_random_states
from stetho.inspect.torch.models import named_parts


def _uncompiled() -> AbstractContextManager[object]:
    """Python sees nothing of what a compiled part does. To load the compiler where nothing is takes a second."""
    return torch.compiler.set_stance("force_eager") if "torch._dynamo" in sys.modules else nullcontext()


@contextmanager
def undisturbed(model: Module) -> Iterator[list[tuple[str, Module]]]:
    """The parts of the model to run, itself first; afterwards they are what they were before.

    One with lazy parameters is run as a copy.

    >>> model = torch.nn.BatchNorm1d(2)
    >>> with undisturbed(model) as [(_, same)]:
    ...     ignored = same(torch.randn(4, 2))
    >>> model.running_mean
    tensor([0., 0.])
    """
    copies = Copies()
    states, own = random_states(), random.getstate()
    # Loaded when somebody first draws from it; to ask for its state takes a tenth of a millisecond.
    numpy = sys.modules.get("numpy.random.mtrand")
    drawn = numpy.get_state() if numpy is not None else None
    parts = named_parts(model)
    if any(each is not None and is_lazy(each) for _, part in parts for each in part._parameters.values()):
        parts = named_parts(copy.deepcopy(model))
    try:
        with copies.put_back(), _uncompiled():
            copies.borrow_parts(part for _, part in parts)
            for _, part in parts:
                if part._compiled_call_impl is not None:
                    part._compiled_call_impl = None
            yield parts
    finally:
        set_random_states(states)
        random.setstate(own)
        if numpy is not None:
            numpy.set_state(drawn)
