"""The parts of a model as plain data."""

from typing import NamedTuple


class Weight(NamedTuple):
    """A parameter; parameters with the same key are one."""

    key: int
    name: str
    shape: tuple[int, ...]
    elements: int
    bytes: int
    trainable: bool


class Part(NamedTuple):
    """A module of a model, with the parameters that are its own and not those of its parts."""

    name: str
    kind: str
    settings: str = ""
    weights: tuple[Weight, ...] = ()
    buffers: int = 0
    training: bool = True

    @property
    def own(self) -> int:
        """How many parameters are its own."""
        return sum(weight.elements for weight in self.weights)
