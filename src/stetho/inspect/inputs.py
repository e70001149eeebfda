"""What a model is given: from texts, shapes, tensors, batches of a loader or a function to one call of the model."""

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType, MethodType
from typing import Any

from stetho.errors import UsageError, kind_of
from stetho.inspect.call import Call
from stetho.inspect.specs import RULE, TensorSpec, arranged, parse_input


def call_of(model: Any, inputs: Any) -> Call:
    """The call that `inputs` stands for.

    A tuple holds the arguments; a dict too, by their names, where the model takes such names, and else it is the one
    argument, as anything else is. Texts and tuples of numbers are shapes; a loader gives its first batch; a function
    is called with the model in place of all this.
    """
    from stetho.inspect.torch.arguments import filled, first_batch, is_loader, is_tensor

    if isinstance(inputs, Call):
        return inputs
    if isinstance(inputs, str):
        return call_of(model, [inputs])
    if isinstance(inputs, list) and inputs and all(isinstance(each, str) for each in inputs):
        return filled(model, arranged([parse_input(text) for text in inputs]))
    if (
        isinstance(inputs, tuple)
        and not hasattr(inputs, "_fields")
        and inputs
        and all(type(each) is int for each in inputs)
    ):
        return filled(model, Call((TensorSpec(tuple(inputs)),)))
    if is_loader(inputs):
        return fitted(model, first_batch(inputs))
    if isinstance(inputs, Mapping):
        return Call((), dict(inputs)) if set(inputs) <= taken_names(model) else Call((inputs,))
    if callable(inputs) and not is_tensor(inputs):
        return Call(function=inputs)
    return Call(inputs) if isinstance(inputs, tuple) and not hasattr(inputs, "_fields") else Call((inputs,))


def call_from(model: Any, texts: Sequence[str], loader: str | None = None, known: Call | None = None) -> Call | None:
    """The call that the command line asks for: `--input`, or `--loader`, or what the program itself calls it with.

    None where nothing of it is given and the model has no example of its own.
    """
    from stetho.inspect.torch.arguments import own_example

    if texts and loader:
        raise UsageError("both --input and --loader are given; the model can be called with one of them")
    if texts:
        return call_of(model, list(texts))
    if loader:
        return from_loader(model, loader)
    return known or own_example(model)


def needed(model: Any, call: Call | None) -> Call:
    """The call, or an error that says how to give one."""
    if call is None:
        takes = ", ".join(taken_names(model)) or "no arguments"
        raise UsageError(f"no inputs: {type(model).__name__}.forward takes ({takes}); add --input or --loader; {RULE}")
    return call


def from_loader(model: Any, text: str) -> Call:
    """The first batch of the loader at `file.py:loader`."""
    from stetho.inspect.target import load_object

    found = load_object(text)
    if isinstance(found, str) or not isinstance(found, Iterable):
        raise UsageError(f"`{text}` is {kind_of(found)}; a loader gives batches in a for loop")
    from stetho.inspect.torch.arguments import first_batch, is_tensor

    # A function may make one batch in the place of a loader.
    is_batch = (
        isinstance(found, Mapping) or is_tensor(found) or (isinstance(found, tuple) and any(map(is_tensor, found)))
    )
    return fitted(model, found if is_batch else first_batch(found))


def fitted(model: Any, batch: Any) -> Call:
    """The part of a batch that a model takes: labels beside the inputs are left out.

    >>> class Net:
    ...     def forward(self, x, scale=1): ...
    >>> fitted(Net(), ["images", "labels"]).args
    ('images',)
    >>> dict(fitted(Net(), {"x": "images", "labels": 3}).kwargs)
    {'x': 'images'}
    """
    names = taken_names(model)
    if isinstance(batch, Mapping):
        fitting = {name: value for name, value in batch.items() if name in names}
        return Call((), fitting) if fitting else Call((batch,))
    if not isinstance(batch, (tuple, list)) or hasattr(batch, "_fields"):
        return Call((batch,))
    wanted = sum(1 for each in _parameters(model) if each.default is each.empty and each.kind in _POSITIONAL)
    if any(each.kind is inspect.Parameter.VAR_POSITIONAL for each in _parameters(model)):
        wanted = len(batch)
    return Call(tuple(batch[: max(wanted, 1)]))


def named_arguments(model: Any, call: Call) -> list[tuple[str, Any]]:
    """The arguments of a call with their names, or their numbers where they have none.

    >>> class Net:
    ...     def forward(self, x, *others): ...
    >>> named_arguments(Net(), Call((1, 2), {"k": 3}))
    [('x', 1), ('1', 2), ('k', 3)]
    """
    names = [each.name for each in _parameters(model) if each.kind in _POSITIONAL]
    names += [str(place) for place in range(len(names), len(call.args))]
    return [*zip(names, call.args, strict=False), *call.kwargs.items()]


def taken_names(model: Any) -> set[str]:
    """The names of the arguments that a model takes, in no order."""
    return {each.name for each in _parameters(model) if each.kind not in _ANY}


_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_ANY = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _parameters(model: Any) -> list[inspect.Parameter]:
    function: Callable[..., Any] = getattr(model, "forward", model)
    if isinstance(function, MethodType) and isinstance(function.__func__, FunctionType):
        found = _of_function(function.__func__)
        return found[1:] if found and found[0].kind in _POSITIONAL else found
    return _signature(function)


def _signature(function: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


@functools.lru_cache(maxsize=16)
def _of_function(function: FunctionType) -> list[inspect.Parameter]:
    """Of a function, which is asked for again with every call of a model that is recorded."""
    return _signature(function)
