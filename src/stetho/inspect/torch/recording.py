"""One call of a model, recorded: forward, and backward on request."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from time import perf_counter
from typing import Any

import torch
from torch import Tensor
from torch._C import _len_torch_function_stack, _pop_torch_function_stack, _push_on_torch_function_stack
from torch.nn import Module, functional
from torch.nn.parameter import is_lazy

from stetho.capture.frames import places_of
from stetho.capture.torch.failure.scene import scene_of
from stetho.capture.torch.patches import Patches
from stetho.errors import UsageError
from stetho.explaining import explain
from stetho.inspect.call import Call
from stetho.inspect.inputs import named_arguments
from stetho.inspect.operations import Failure, Recording
from stetho.inspect.torch.below import Below
from stetho.inspect.torch.keeping import Keeping, LetGo
from stetho.inspect.torch.layer_calls import LayerCalls
from stetho.inspect.torch.ledger import Ledger, named_tensors_in, tensors_in
from stetho.inspect.torch.recorder import OnOperation, Recorder
from stetho.inspect.torch.tally import Tally
from stetho.inspect.torch.undisturbed import undisturbed
from stetho.inspect.torch.usual_layers import PLAIN_TENSORS, usual_work
from stetho.inspect.uncollected import uncollected


def record(
    model: Module,
    call: Call,
    *,
    on_operation: OnOperation | None = None,
    backward: bool = False,
    values: bool = False,
    keep_failure: bool = False,
    is_terse: bool = False,
    counts_kept: bool = True,
) -> Recording:
    """Call the model once and write down what it does.

    With `keep_failure`, an error of the model's is part of the recording, and is raised otherwise. A terse recording
    has what calls of layers need: of operations only the names, and the tensors of those that count as FLOPs. Without
    `counts_kept`, nobody looks on at what is kept for the backward pass, which is quicker.

    >>> recording = record(torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU()), Call((torch.ones(1, 2),)))
    >>> [(operation.layer, operation.name) for operation in recording.operations]
    [('0', 'linear'), ('1', 'relu')]
    """
    with uncollected():
        if on_operation is None and not backward and call.function is None:
            with suppress(LetGo):
                return _record(model, call, lets_go=True, keep_failure=keep_failure, is_terse=is_terse)
        return _record(
            model,
            call,
            on_operation,
            backward=backward,
            values=values,
            keep_failure=keep_failure,
            is_terse=is_terse,
            counts_kept=counts_kept,
        )


def _record(
    model: Module,
    call: Call,
    on_operation: OnOperation | None = None,
    *,
    backward: bool = False,
    values: bool = False,
    keep_failure: bool,
    is_terse: bool = False,
    lets_go: bool = False,
    counts_kept: bool = True,
) -> Recording:
    with undisturbed(model) as parts:
        ledger, same = Ledger(), parts[0][1]
        own = _own_tensors(parts)
        for name, value in named_arguments(same, call):
            for path, tensor in named_tensors_in(name, value):
                ledger.name(tensor, f"input {path}")
        names = {id(part): name for name, part in parts}
        recorder: LayerCalls
        if is_terse:
            recorder = Tally(names, ledger, own, usual_work(part for _, part in parts))
        else:
            for name, part in parts:
                ledger.name_parts(name, part)
            recorder = Recorder(names, ledger, on_operation, values=values)
        keeping = Keeping(recorder, own, lets_go=lets_go)
        began = perf_counter()
        failure = None
        try:
            with _installed(recorder), keeping.counted() if counts_kept else nullcontext():
                result = call.of(same)
        except Exception as error:
            if keeping.is_missed:
                raise LetGo from None
            if not keep_failure:
                raise
            failure = _failure(recorder, error)
        if keeping.is_missed:
            raise LetGo
        seconds = perf_counter() - began
        if backward and failure is None:
            _backward(recorder, same, call, result)
    return recorder.recording(failure, seconds)


def _own_tensors(parts: list[tuple[str, Module]]) -> dict[int, Tensor]:
    """By identity, the parameters and buffers of a model."""
    found = {}
    for _, part in parts:
        for held in (part._parameters, part._buffers):
            for each in held.values() if held else ():
                if each is not None and not is_lazy(each):
                    found[id(each)] = each
    return found


@contextmanager
def _installed(recorder: LayerCalls) -> Iterator[None]:
    patches = Patches()
    # Python sees nothing of what a scripted module does.
    scripted = Below(recorder)
    # Not `__call__`: to replace that touches every class of modules that there is.
    patches.replace(Module, "_call_impl", lambda original: recorder.calling(original, scripted))
    patches.replace(functional, "multi_head_attention_forward", _opened)
    patches.replace(functional, "handle_torch_function", _handed_on)
    with ExitStack() as stack:
        stack.callback(patches.undo)
        stack.enter_context(recorder)
        yield


def _handed_on(handle: Any) -> Any:
    """What hands a function on to who looks on, without a search for others where there can be none."""

    def hand_on(function: Any, relevant: Any, *args: Any, **kwargs: Any) -> Any:
        if _len_torch_function_stack() != 1 or not PLAIN_TENSORS.issuperset(map(type, relevant)):
            return handle(function, relevant, *args, **kwargs)
        recorder = _pop_torch_function_stack()
        try:
            return recorder.__torch_function__(function, (), args, kwargs)
        finally:
            _push_on_torch_function_stack(recorder)

    return hand_on


def _opened(attention: Any) -> Any:
    """A function that is many operations, and would be taken for one: it asks whether somebody looks on."""

    def forward(*args: Any, **kwargs: Any) -> Any:
        patches = Patches()
        patches.replace(functional, "has_torch_function", lambda _: lambda _: False)
        try:
            return attention(*args, **kwargs)
        finally:
            patches.undo()

    return forward


def _backward(recorder: LayerCalls, model: Module, call: Call, result: Any) -> None:
    ends = [tensor for tensor in tensors_in(result) if tensor.requires_grad and tensor.is_floating_point()]
    starts = [tensor for tensor in (*model.parameters(), *tensors_in((call.args, call.kwargs))) if tensor.requires_grad]
    starts = [tensor for tensor in starts if tensor.is_leaf]
    if not ends or not starts:
        raise UsageError(
            "no backward pass: no output depends on something that requires a gradient; "
            "check requires_grad of the parameters, and that the model does not run under no_grad"
        )
    ones = [torch.ones_like(end) for end in ends]
    with Below(recorder, "backward"):
        torch.autograd.grad(ends, starts, ones, allow_unused=True)


def _failure(recorder: LayerCalls, error: Exception) -> Failure:
    known = recorder.failure[1] if recorder.failure is not None and recorder.failure[0] is error else None
    failure = known or Failure(f"{type(error).__name__}: {error}", "", "", None, (), None)
    explanation = explain(scene_of(type(error).__name__, str(error), places_of(error.__traceback__)))
    return failure._replace(why=explanation.title) if explanation is not None else failure
