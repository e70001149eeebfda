"""eval-mode-in-train: dropout is off and batch norm frozen while the model trains."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.symptoms import OVERFITTED
from stetho.checks.loop.train_mode_in_eval import behaves_differently
from stetho.checks.run.facts import Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="error", explains=(*OVERFITTED, "activation-scale", "divergence", "overflow", "loss-plateau",
                                    "learning-rate-too-low", "collapsed-output", "vanishing-gradient"))  # fmt: skip
def eval_mode_in_train(window: Window, *, least: int = 5) -> Finding | None:
    """The model trains in evaluation mode.

    ## What it finds
    Training passes (at `least` so many) of a model in evaluation mode, although it has dropout or batch norm. Most
    often `model.eval()` was called for a first evaluation and `model.train()` never after it.

    ## Why it matters
    Dropout does nothing, so nothing regularises; batch norm uses statistics that no longer move, so the scale of
    the activations runs away from them.

    ## What to try
    Call `model.train()` at the beginning of each epoch.

    ## When it is wrong
    Fine-tuning with everything frozen to its evaluation behaviour on purpose. Parts whose parameters need no gradient
    are left out.
    """
    found_any = False
    for model in window.models:
        passes = window.batches("train", model.id)
        different = [layer for layer in behaves_differently(window, model.id) if not _is_frozen(window, layer)]
        if passes.count < least or not different or not model.is_trained:
            continue
        found_any = True
        training = passes["training"]
        off = training == 0
        switched = bool((training == 1).any()) and off[-max(least, len(off) // 4) :].all()
        if not (switched or off.all()):
            continue
        steps = passes["step"][off]
        first = int(steps[0])
        was = f"since step {first}" if switched else "in all steps"
        return window.finding(
            f"the model trained in evaluation mode {was}: {len(different)} layers ({different[0].kind}) are off",
            where=window.at(window.line("eval mode"), layer=window.layer("", model.id)),
            steps=(first, int(steps[-1]), int(np.count_nonzero(off))),
            confidence=0.96 if switched else 0.85,
            layers=", ".join(layer.name for layer in different[:6]),
        )
    if not found_any:
        raise Skip("no trained model has layers that differ in training")
    return None


def _is_frozen(window: Window, layer: Layer) -> bool:
    """Whether it is in a part of the model that is not trained: there, evaluation mode is meant."""
    name = layer.name
    while name:
        inside = [p for p in window.parameters if p.model == layer.model and f"{p.name}.".startswith(f"{name}.")]
        if inside and not any(p.trainable for p in inside):
            return True
        name = name.rpartition(".")[0]
    return False
