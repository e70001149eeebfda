"""Gradients of a batch in one pass, and added up over micro-batches: the same, if each sample weighs the same."""

from collections.abc import Callable, Sequence
from typing import Any

from stetho.capture.torch.calls.looks import as_array
from stetho.comparing.tensor_error import Array
from stetho.equivalence.result import Difference, Equivalence, first_differences
from stetho.equivalence.torch.parts import cut, size_of
from stetho.equivalence.torch.tape import Passes, Tape, one_pass
from stetho.equivalence.torch.training import Training, build, without_dropout

TOLERANCE = 1e-4
Weight = Callable[[int, int, int], float]
"""What the loss of a micro-batch is multiplied by: its size, the size of the batch, the number of micro-batches."""

RECIPES: dict[str, Weight] = {
    "divided by the number of micro-batches": lambda _size, _all, parts: 1 / parts,
    "weighed by the share of samples": lambda size, all_, _parts: size / all_,
    "added up as they are": lambda _size, _all, _parts: 1.0,
}
USUAL = "divided by the number of micro-batches"


def accumulate(setup: Callable[[], Any], *, steps: int = 3, parts: int = 3) -> Equivalence:
    """Compare one pass over a batch with passes over parts of it.

    The set-up's own `accumulate(model, micro_batches)`, if it has one, makes the passes over the parts; otherwise the
    usual recipe does: each loss divided by the number of micro-batches.
    """
    whole, dropped = _taped(setup, one_pass, steps)
    own = build(setup).part("accumulate")
    tried = {"own": _own(parts)} if own is not None else {name: _added(parts, w) for name, w in RECIPES.items()}
    found: dict[str, list[Difference]] = {}
    for name, passes in tried.items():
        tape, _ = _taped(setup, passes, steps)
        found[name] = first_differences(whole.steps, tape.steps, tolerance=TOLERANCE, kinds=whole.kinds)
        # The loss of one part alone is no loss of the whole.
        found[name] = [each for each in found[name] if each.stage != "input"]
        if not found[name]:
            break
    chosen = found["own" if own is not None else USUAL]
    sizes = [size_of(part) for part in cut(next(build(setup).batches()), parts)]
    equal = next((name for name, differences in found.items() if not differences), None)
    return Equivalence(
        test="accumulate",
        ways=("one pass over the batch", f"micro-batches of {', '.join(map(str, sizes))} samples"),
        steps=len(whole.steps),
        differences=chosen,
        reasons=reasons_of(chosen, equal, sizes) if chosen else [],
        notes=["dropout was turned off: each way would draw masks of its own"] if dropped else [],
    )


def _taped(setup: Callable[[], Any], passes: Passes, steps: int) -> tuple[Tape, bool]:
    training = build(setup)
    dropped = without_dropout(training)
    tape = Tape(training)
    tape.record(passes, training.batches(), steps)
    return tape, dropped


def _added(parts: int, weight: Weight) -> Passes:
    def passes(training: Training, batch: Any, tape: dict[str, list[Array]]) -> None:
        for part in cut(batch, parts):
            loss = training.loss(training.model, part) * weight(size_of(part), size_of(batch), parts)
            tape.setdefault("loss/", []).append(as_array(loss))
            training.backward(loss)

    return passes


def _own(parts: int) -> Passes:
    def passes(training: Training, batch: Any, _tape: dict[str, list[Array]]) -> None:
        training.part("accumulate")(training.model, cut(batch, parts))

    return passes


def reasons_of(differences: Sequence[Difference], equal: str | None, sizes: Sequence[int]) -> list[str]:
    """Why micro-batches do not give what the whole batch gives; `equal` is the recipe that would."""
    first = differences[0]
    if first.stage == "act" and "BatchNorm" in first.kind:
        return [
            f"`{first.name}` normalises by the statistics of what it is given: those of a micro-batch are not those of"
            " the batch; use GroupNorm or LayerNorm, or freeze its statistics"
        ]
    if first.stage == "act":
        return [f"`{first.name}` ({first.kind}) makes a sample depend on the other samples of its batch"]
    if equal == "weighed by the share of samples":
        return [
            f"micro-batches have {', '.join(map(str, sizes))} samples and each loss is a mean: dividing by their number"
            " gives the samples of small ones more weight; multiply each loss by its share of the samples"
        ]
    if equal == "added up as they are":
        return ["the loss is a sum over samples: it must not be divided by the number of micro-batches"]
    return [
        "no weight by the number of samples makes it equal: the loss is a mean over something that is not spread evenly"
        " (tokens that are not padding, positives); add up sums, and divide once by the count of the whole batch"
    ]
