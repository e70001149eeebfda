"""What the instruments hand over: stretches of time with names, as they were measured."""

from dataclasses import dataclass

LAYER = "stetho.layer:"
PHASE = "stetho.phase:"
MARK = "stetho.step"
"""Names of our own scopes: a layer by its number, a phase by its name, and the moment at which a step ends."""

BACKWARD_NODE = "autograd::engine::evaluate_function: "
UPDATE = "Optimizer.step#"
ZEROING = "Optimizer.zero_grad#"
LOADING = "enumerate(DataLoader)#"
"""Names that the framework gives to its own scopes."""


@dataclass(frozen=True, slots=True)
class Event:
    """One stretch of time in one thread; times are in nanoseconds.

    `sequence` numbers what a forward operation adds to the graph, and the backward node that belongs to it.
    """

    name: str
    start: int
    end: int
    thread: int = 1
    sequence: int = -1
    forward_thread: int = 0
    is_accelerator: bool = False
