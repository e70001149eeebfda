"""`stetho.visit`: a callable over every operation of a model, in the order in which they happen."""

from collections.abc import Callable
from typing import Any

from stetho.inspect.inputs import call_of
from stetho.inspect.operations import Operation


def visit(
    model: Any,
    inputs: Any,
    callable: Callable[[Operation], object],
    *,
    backward: bool = False,
    values: bool = False,
) -> None:
    """Run the model once and call `callable` with every operation, as it happens.

    `inputs` is a tensor, a tuple of arguments, a dict of named ones, a shape such as `(1, 3, 32, 32)`, a loader, or a
    function that is given the model and calls it. An operation has a name, arguments, inputs and outputs with shape
    and type, the layer it belongs to and its source line. With `values`, each tensor comes with its `value`. With
    `backward`, the operations of a backward pass from all outputs follow. State, mode, gradients and random numbers
    are afterwards what they were.

    >>> import torch
    >>> model = torch.nn.Sequential(torch.nn.Linear(4, 2), torch.nn.ReLU())
    >>> visit(model, (1, 4), lambda operation: print(operation.layer, operation.name, *operation.outputs))
    0 linear float32[1, 2]
    1 relu float32[1, 2]
    """
    from stetho.inspect.torch.recording import record

    record(model, call_of(model, inputs), on_operation=callable, backward=backward, values=values)
