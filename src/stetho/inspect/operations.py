"""What one call of a model did: operations and calls of layers in their order. Plain frozen data.

Named tuples and not dataclasses: thousands of them are made while the model runs.
"""

from collections.abc import Mapping
from math import prod
from types import MappingProxyType
from typing import Any, NamedTuple

SIZES = {"float64": 8, "int64": 8, "complex64": 8, "complex128": 16, "float32": 4, "int32": 4, "uint32": 4}
SIZES |= {"float16": 2, "bfloat16": 2, "int16": 2, "uint16": 2}


class TensorFacts(NamedTuple):
    """A tensor without its values, unless they were asked for: then `value` is the tensor, while the model runs.

    >>> str(TensorFacts((2, 3), "float32", "cpu")), TensorFacts((2, 3), "float32", "cpu").bytes
    ('float32[2, 3]', 24)
    """

    shape: tuple[int, ...]
    dtype: str
    device: str
    requires_grad: bool = False
    value: Any = None

    @property
    def elements(self) -> int:
        """How many numbers it holds."""
        return prod(self.shape)

    @property
    def bytes(self) -> int:
        """How much memory its numbers take."""
        return self.elements * SIZES.get(self.dtype, 1)

    def __str__(self) -> str:
        return f"{self.dtype}{list(self.shape)}"


class Operand(NamedTuple):
    """A tensor that an operation or a layer takes: the operation that made it, or the name of what it is."""

    tensor: TensorFacts
    maker: int | None = None
    origin: str | None = None


class Operation(NamedTuple):
    """One operation: what it is, what it took and gave, and where in the model and in its source it stands.

    `layer` is the dotted name of the innermost layer at work, '' for the model itself; `call` numbers the calls of
    layers. `inputs` are the tensors among `arguments`, where each is replaced by its text.
    """

    number: int
    name: str
    function: str
    phase: str
    layer: str
    call: int
    line: str | None
    arguments: dict[str, Any]
    inputs: tuple[Operand, ...]
    outputs: tuple[TensorFacts, ...]
    seconds: float = 0.0
    saved: int = 0
    """Bytes that it keeps for the backward pass, parameters and what others keep already not counted."""

    def __str__(self) -> str:
        taken = ", ".join(str(each.tensor) for each in self.inputs)
        given = ", ".join(map(str, self.outputs))
        where = " · ".join(part for part in (self.layer, self.line) if part)
        return f"{self.number:>5}  {self.name}({taken}) → {given or 'no tensor'}  {where}".rstrip()


class LayerCall(NamedTuple):
    """One call of a layer: the operations from `first` up to and without `last` happened inside of it."""

    number: int
    name: str
    kind: str
    parent: int | None
    line: str | None
    first: int
    last: int
    inputs: tuple[Operand, ...]
    outputs: tuple[Operand, ...]
    seconds: float = 0.0
    error: str | None = None


class Failure(NamedTuple):
    """The error that ended the call, and the innermost layer and the operation in which it arose."""

    error: str
    layer: str
    kind: str
    operation: str | None
    inputs: tuple[Operand, ...]
    line: str | None
    why: str = ""
    """What the error means, where that is known."""

    def __str__(self) -> str:
        """
        >>> str(Failure("ValueError: bad", "fc", "Linear", "linear", (), "net.py:3"))
        'layer `fc` (Linear) failed in linear() at net.py:3: ValueError: bad'
        """
        layer = f"layer `{self.layer}` ({self.kind})" if self.layer else f"the model ({self.kind})".replace(" ()", "")
        taken = ", ".join(str(each.tensor) for each in self.inputs)
        operation = f" in {self.operation}({taken})" if self.operation else f", given ({taken})" if taken else ""
        place = f" at {self.line}" if self.line else ""
        return f"{layer} failed{operation}{place}: {self.error}{f'; {self.why}' if self.why else ''}"


class Recording(NamedTuple):
    """All of one call of a model."""

    operations: list[Operation]
    calls: list[LayerCall]
    failure: Failure | None = None
    seconds: float = 0.0
    kept: Mapping[int, int] = MappingProxyType({})
    """By the number of a call, bytes kept for the backward pass that no operation tells; -1 is outside of all calls."""
    uncounted: int = 0
    """Operations that were not written down."""
