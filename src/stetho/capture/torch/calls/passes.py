"""One call of a model from outside: what is known of it while it lasts."""

import torch
from torch.nn import Module

from stetho.capture.torch.calls.activations import Span
from stetho.capture.torch.models.edges import Edges
from stetho.capture.torch.models.models import Layer, Model
from stetho.records import Phase

Place = tuple[str, int]
"""File and line of the program's call."""


FAKE, PROXY = torch._C._TorchDispatchModeKey.FAKE, torch._C._TorchDispatchModeKey.PROXY
"""Modes under which a program is read, as `torch.export` does: tensors have a shape, and no values."""
_mode, _tracer = torch._C._get_dispatch_mode, torch._C._get_tracing_state
_transform = torch._C._functorch.peek_interpreter_stack


def is_transformed() -> bool:
    """Whether a tracer or a function transform runs the code under way: its tensors stand for others."""
    return _tracer() is not None or _transform() is not None or _mode(FAKE) is not None or _mode(PROXY) is not None


class Pass(Span):
    """One call of a model from outside."""

    __slots__ = (
        "called",
        "edges",
        "entry",
        "entry_seen",
        "followed",
        "full",
        "grad",
        "model",
        "ours_before",
        "place",
        "started",
        "training",
    )

    def __init__(self, model: Model, entry: Layer, called: Module, grad: bool) -> None:
        training = self.training = called.training or _is_set_alone(called)
        self.phase: Phase = "train" if grad and training else "eval"
        self.model = model
        self.entry = entry
        self.called = id(called)
        self.grad = grad
        self.full = False
        self.entry_seen = False
        self.followed = False
        self.edges: Edges | None = None
        self.started = self.ours_before = 0.0
        self.place: Place | None = None


def _is_set_alone(called: Module) -> bool:
    """Whether `training` is false on this module only: assigned by hand, where `eval()` reaches all that is inside.

    Dropout that was switched on again on purpose leaves other layers as they are.
    """
    inside = list(called.children())
    return bool(inside) and all(module.training for child in inside for module in child.modules())
