"""A training that goes on, and one that was saved, loaded into a new one, and goes on: the same, if all was saved."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from stetho.equivalence.result import Difference, Equivalence, Step, first_differences
from stetho.equivalence.torch.tape import Tape, one_pass
from stetho.equivalence.torch.training import RULE, build
from stetho.errors import UsageError

TOLERANCE = 0.0
ANOTHER_SEED = 1
"""A new process draws other numbers until the checkpoint says otherwise."""

REASONS = {
    "input": (
        "the batches are none of those of the other training: in a new process the data is drawn or shuffled anew; draw"
        " it from a generator with a seed of its own, and restore the state of the shuffling"
    ),
    "param": "the weights are not restored",
    "buffer": "buffers are not restored: save `model.state_dict()`, which holds them, and not parameters alone",
    "lr": "the learning rate is not restored: save and load the scheduler's state, too",
    "scale": "the scale of the loss is not restored: save and load the state of the gradient scaler, too",
    "loss": "weights and outputs are equal, the loss is not: something that it depends on is not saved",
    "grad": "outputs are equal, gradients are not: something in the backward pass is not saved",
    "state": "the optimizer's state is not restored: save and load `optimizer.state_dict()`, too",
    "update": "the update differs: settings of the optimizer are not restored",
}


def resume(setup: Callable[[], Any], *, steps: int = 3) -> Equivalence:
    """Compare `steps` steps after a checkpoint with the same steps of a training that was not interrupted."""
    going = build(setup)
    if going.part("save") is None or going.part("load") is None:
        raise UsageError(f"the set-up has no `save` and `load`, which a resumed training needs; {RULE}")
    whole = Tape(going)
    whole.record(one_pass, going.batches(), 2 * steps)
    with tempfile.TemporaryDirectory(prefix="stetho-resume-") as folder:
        file = Path(folder) / "checkpoint.pt"
        begun = build(setup)
        Tape(begun).record(one_pass, begun.batches(), steps)
        begun.part("save")(str(file))
        resumed = build(setup, seed=ANOTHER_SEED)
        resumed.part("load")(str(file))
        tape = Tape(resumed)
        tape.record(one_pass, resumed.batches(), steps)
    found = first_differences(whole.steps[steps:], tape.steps, tolerance=TOLERANCE, kinds=whole.kinds)
    later = [replace(each, step=each.step + steps) for each in found]
    taken = _step_of(tape.steps[found[0].step - 1], whole.steps) if found else None
    return Equivalence(
        test="resume",
        ways=(f"{2 * steps} steps without a stop", f"saved after {steps}, loaded, and {steps} more"),
        steps=steps,
        differences=later,
        reasons=_reasons(later, taken),
    )


def _step_of(resumed: Step, steps: Sequence[Step]) -> int | None:
    """The step of the whole training that had the batch of a resumed step; None if none had."""
    wanted = _batch(resumed)
    for number, batch in enumerate(map(_batch, steps), start=1):
        if batch.keys() == wanted.keys() and all(np.array_equal(batch[key], wanted[key]) for key in batch):
            return number
    return None


def _batch(step: Step) -> Step:
    return {key: array for key, array in step.items() if key.startswith("input/")}


def _reasons(found: Sequence[Difference], taken: int | None) -> list[str]:
    """What was not restored: the first thing, and all that does not follow from it."""
    stages = [each.stage.partition(".")[0] for each in found]
    # With other gradients, the state of the optimizer becomes another one by itself.
    independent = ("lr", "scale", *(["state"] if "grad" not in stages else []))
    told = [each for number, each in enumerate(found) if number == 0 or stages[number] in independent]
    if "state" in stages and "grad" not in stages:
        # The learning rate is part of it.
        told = [each for each in told if each.stage != "lr"]
    return list(dict.fromkeys(_reason(each, taken) for each in told))


def _reason(first: Difference, taken: int | None) -> str:
    if first.stage == "input" and taken is not None:
        return f"the place in the data is not restored: step {first.step} takes the batch of step {taken} once more"
    if first.stage == "act" and "Dropout" in first.kind:
        return "the state of the random generator is not restored: save and set `torch.get_rng_state()`, too"
    if first.stage == "act":
        return (
            f"weights and input are equal, and `{first.name}` ({first.kind}) gives another output: it draws random"
            " numbers whose state is not restored, or keeps something that is not in its state_dict"
        )
    return REASONS[first.stage.partition(".")[0]]
