"""What the table of numerics cases is made of: a case is a small training; `# born` marks the line of its fault."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

Program = Callable[[], None]


@dataclass(frozen=True)
class Fault:
    """A training that goes wrong, and what an autopsy has to say of it."""

    program: Program
    operation: str
    phase: str
    contains: str = ""
    """Part of the expression, with the value."""
    layer: str | None = None
    trigger: str | None = None

    @property
    def line(self) -> str:
        """The marked line as `file:line`."""
        source = getattr(self.program, "source", self.program)
        lines, start = inspect.getsourcelines(source)
        marked = [start + place for place, text in enumerate(lines) if text.rstrip().endswith("# born")]
        return f"{Path(inspect.getfile(source))}:{marked[0]}"


FAULTS: dict[str, Fault] = {}
BENIGN: dict[str, Program] = {}


def fault(operation: str, phase: str, contains: str = "", **more: str | None) -> Callable[[Program], Program]:
    """Enter a training into the table of faults."""

    def enter(program: Program) -> Program:
        FAULTS[program.__name__] = Fault(program, operation, phase, contains, **more)
        return program

    return enter


def benign(program: Program) -> Program:
    """Enter a training into the table of those in which nothing is wrong."""
    BENIGN[program.__name__] = program
    return program


def steps(model: nn.Module, loss: Callable[[], Tensor], *, count: int = 3, optimizer: object = None) -> None:
    """Train a model for some steps."""
    optimizer = optimizer or torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(count):
        optimizer.zero_grad()
        loss().backward()
        optimizer.step()  # born


def mlp(inputs: int = 4, outputs: int = 3) -> nn.Sequential:
    """A small net."""
    return nn.Sequential(nn.Linear(inputs, 8), nn.Tanh(), nn.Linear(8, outputs))


X = torch.randn(6, 4, generator=torch.Generator().manual_seed(1))
Y = torch.tensor([0, 1, 2, 0, 1, 2])
