"""What one call of a model computed: every tensor with its value, what it was made of, and where. Plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]

INPUT, WEIGHT, CONSTANT, OPERATION = "input", "weight", "constant", "operation"


@dataclass
class Site:
    """A tensor on its way through the model: an input, a weight, a constant, or what an operation gave.

    >>> import numpy as np
    >>> Site(3, OPERATION, "relu", "act", np.zeros(2)).label
    'relu in `act`'
    """

    number: int
    kind: str
    name: str
    layer: str
    value: Array
    operands: tuple[int, ...] = ()
    line: str | None = None
    call: int = -1
    operation: int = -1
    gradient: Array | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """What the operation was told besides tensors: a dimension, an epsilon."""
    is_data: bool = False
    """Whether an input of the model flows into it; weights and masks that are made on the way are not."""

    @property
    def is_float(self) -> bool:
        """Whether it holds real numbers."""
        return self.value.dtype.kind in "fc"

    @property
    def label(self) -> str:
        """What it is, in words."""
        if self.kind != OPERATION:
            return f"{self.kind} `{self.name}`"
        return f"{self.name} in `{self.layer}`" if self.layer else f"{self.name} in the model itself"


@dataclass(frozen=True)
class Layer:
    """One call of a layer, and the site of its output; the second call of a layer is `name#2`."""

    name: str
    kind: str
    output: int
    call: int
    depth: int
    is_leaf: bool = True
    line: str | None = None


@dataclass
class Trace:
    """All sites of one call in their order, the calls of layers, and which sites the model gave back."""

    name: str
    sites: list[Site]
    layers: list[Layer]
    outputs: list[int]
    weights: dict[str, Array] = field(default_factory=dict)
    weight_gradients: dict[str, Array] = field(default_factory=dict)
    input_gradients: list[Array] = field(default_factory=list)
    original_dtype: str = "float32"
    kept: dict[str, Array] = field(default_factory=dict)
    """The buffers that the call changed, as it left them."""
    buffers: frozenset[str] = frozenset()
    """Names of what is kept with the weights and not trained."""
    chances: list[str] = field(default_factory=list)
    """Where numbers would have been dropped by chance, which is left out."""

    @property
    def is_precise(self) -> bool:
        """Whether all real numbers were computed in double precision."""
        return all(site.value.dtype.itemsize >= 8 for site in self.sites if site.is_float and site.is_data)

    @cached_property
    def consumers(self) -> dict[int, list[int]]:
        """For each site, those that are made of it."""
        found: dict[int, list[int]] = {}
        for site in self.sites:
            for operand in site.operands:
                found.setdefault(operand, []).append(site.number)
        return found

    @cached_property
    def living(self) -> list[Site]:
        """The sites that an output is made of, and the outputs."""
        waiting, seen = list(self.outputs), set()
        while waiting:
            number = waiting.pop()
            if number not in seen:
                seen.add(number)
                waiting.extend(self.sites[number].operands)
        return [self.sites[number] for number in sorted(seen)]

    def layer_of(self, site: Site) -> Layer | None:
        """The call of the layer that a site was made in."""
        return next((layer for layer in self.layers if layer.call == site.call), None)
