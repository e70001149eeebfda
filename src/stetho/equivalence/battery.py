"""The tests of the battery by their names, on a set-up function or a whole program: `stetho.equivalent`."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, cast

from stetho.capture.launch import Program
from stetho.comparing.runs.result import RunComparison
from stetho.config import unknown_name
from stetho.equivalence.apart import apart
from stetho.equivalence.program import program_in_way, resume_program
from stetho.equivalence.result import Equivalence
from stetho.errors import UsageError, kind_of

TESTS = {
    "accumulate": "one pass over a batch, and passes over parts of it",
    "resume": "a training that goes on, and one that was saved and loaded in between",
    "ddp": "one process, and two that share the batches",
    "compiled": "eager, and compiled",
    "checkpointing": "activations kept, and computed again",
    "dtype": "as it is, and in another type of number",
}
DTYPES = ("bf16", "fp16", "float64")


def equivalent(
    test: str,
    target: Any,
    *,
    steps: int = 3,
    dtype: str = "bf16",
    backend: str | None = None,
    parts: int = 3,
    at: int = 3,
    again: Sequence[str] = (),
    say: Callable[[str], None] = lambda _: None,
) -> Equivalence | RunComparison:
    """Test whether a training gives the same when it is done in another way.

    `target` is a set-up function, its place as `file.py:function`, or a `Program`. A set-up function gives an object or
    dict with `model`, `optimizer`, `batches` and `loss(model, batch)`; `resume` needs `save(file)` and `load(file)`.

    >>> import torch
    >>> def setup():
    ...     model = torch.nn.Linear(2, 1)
    ...     optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ...     batches = [torch.randn(7, 2)]
    ...     return {"model": model, "optimizer": optimizer, "batches": batches,
    ...             "loss": lambda model, batch: model(batch).square().mean()}
    >>> found = equivalent("accumulate", setup)
    >>> found.is_equal, str(found.first_difference)
    (False, 'the loss')
    >>> found.reasons[0][:48]
    'micro-batches have 3, 2, 2 samples and each loss'
    """
    if test not in TESTS:
        raise UsageError(unknown_name("test", test, TESTS))
    if test == "dtype" and dtype not in DTYPES:
        raise UsageError(unknown_name("dtype", dtype, DTYPES))
    if steps < 1 or parts < 2 or at < 1:
        raise UsageError(f"`steps` (={steps}) and `at` (={at}) are at least 1, `parts` (={parts}) at least 2")
    way = {"compiled": f"compiled:{backend}" if backend else "compiled", "dtype": dtype}.get(test, test)
    if isinstance(target, Program):
        return _of_program(test, target, way, steps, parts, at, again, say)
    setup, place = _set_up(target)
    if test == "accumulate":
        from stetho.equivalence.torch.accumulate import accumulate

        return accumulate(setup, steps=steps, parts=parts)
    if test == "resume":
        from stetho.equivalence.torch.resume import resume

        return resume(setup, steps=steps)
    if test == "ddp":
        from stetho.equivalence.torch.ddp import ddp

        return ddp(setup, target=place, steps=steps)
    from stetho.equivalence.torch.ways import in_way, place_in_way

    if test == "dtype" and isinstance(target, str):
        # Kernels for a type that a processor does not know end the whole process.
        return cast(Equivalence, apart(place_in_way, test, target, way, steps, name=target))
    return in_way(test, setup, way=way, steps=steps)


def _of_program(
    test: str,
    program: Program,
    way: str,
    steps: int,
    parts: int,
    at: int,
    again: Sequence[str],
    say: Callable[[str], None],
) -> Equivalence | RunComparison:
    if test == "accumulate":
        from stetho.equivalence.torch.whole_programs import accumulate_program

        return accumulate_program(program, steps=steps, parts=parts, say=say)
    if test == "ddp":
        from stetho.equivalence.torch.whole_programs import ddp_program

        return ddp_program(program, steps=steps, say=say)
    if test == "resume":
        return resume_program(program, again, at=at, steps=steps, say=say)
    return program_in_way(program, way, steps=steps, say=say)


def _set_up(target: Any) -> tuple[Callable[[], Any], str]:
    """The set-up function, and how another process finds it."""
    if isinstance(target, str):
        from stetho.inspect.target import load_object

        found = load_object(target, is_called=False)
        if not callable(found):
            raise UsageError(f"`{target}` is {kind_of(found)}, not a function that sets up a training")
        return found, target
    if not callable(target):
        raise UsageError(f"`target` is {kind_of(target)}; give a set-up function, or its place as file.py:name")
    try:
        file = inspect.getsourcefile(target)
    except TypeError:
        file = None
    return target, f"{file}:{getattr(target, '__qualname__', '')}"
