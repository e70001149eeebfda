"""collapsed-output: the model gives the same answer to every input."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.compared import CLASSES
from stetho.checks.evidence.curve import Curve, is_adversarial, main_curve
from stetho.checks.mechanisms.attracted import collapsed_by_attraction
from stetho.checks.mechanisms.drawn_alike import drawn_alike
from stetho.checks.run.series import Array
from stetho.checks.run.table import Table
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="warning",
    explains=("loss-plateau", "metric-not-following", "stopped-early", "too-small-model", "dead-relu",
              "frozen-parameter"),
)  # fmt: skip
def collapsed_output(window: Window, *, spread: float = 1e-3, learnt: float = 0.5, least: int = 4) -> Finding | None:
    """The output does not depend on the input.

    ## What it finds
    In the last third of the passes (at `least` so many), the outputs for the samples of a batch differ by less than
    `spread` of their size, and the loss has fallen by less than the share `learnt`. Or a loss without targets falls
    to nothing while the outputs shrink to one and the same. Or the loss is nothing but the angle between two outputs
    for one sample, with gradients to both, and what differs from sample to sample has become a small part of them.
    Or negatives are drawn from the group that positives are drawn from, and the loss stands still.

    ## Why it matters
    The model has found the best constant answer: class frequencies, or the mean of the targets. Nothing of the input
    arrives at the output.

    ## What to try
    Look where the signal is lost: the layer in which the spread over the batch disappears, dead units, a learning
    rate or weight decay that is too high, inputs that are constant.

    ## When it is wrong
    A critic that cannot tell two distributions apart, at the end of a game that went well; with several optimizers
    that take turns it is a note.
    """
    if (alike := drawn_alike(window)) is not None:
        return alike
    checked = 0
    for model in window.models:
        passes = window.batches("train", model.id)
        known = np.isfinite(passes["output_spread"]) & (passes["size"] > 1)
        if not model.is_trained or known.sum() < least:
            continue
        checked += 1
        found = _look(window, passes.where(known), spread, learnt)
        if found is not None:
            return found
    if not checked:
        raise Skip(f"outputs of fewer than {least} passes were measured")
    return None


def _look(window: Window, passes: Table, spread: float, learnt: float) -> Finding | None:
    curve, spreads = main_curve(window), passes["output_spread"]
    last = max(passes.count // 3, 2)
    sizes = np.maximum(passes["output_std"], _scale_of_targets(passes))
    share = spreads / np.maximum(sizes, 1e-30)
    now = float(np.median(share[-last:]))
    has_targets = np.isfinite(passes["target_std"]).any()
    # Targets that are outputs of the model too look like any others.
    is_trivial = _shrinks(spreads, curve, 0.02 if has_targets else 0.05)
    attracted = collapsed_by_attraction(window, now, float(np.median(share[:3])))
    if attracted is not None:
        return attracted
    if not is_trivial and (not now < spread or curve.fall > learnt):
        return None
    steps = passes["step"][spreads < 0.1 * spreads[0] if is_trivial else share < spread]
    title = f"outputs differ by {now:.1e} of their size from sample to sample at the end; {share[0]:.1e} at the start"
    if is_trivial:
        shrunk = np.median(spreads[-last:]) / spreads[0]
        title = f"outputs differ by {shrunk:.1e} of what they did at the start, which brings the loss to its end"
    return window.finding(
        title,
        where=window.at(window.loss_line()),
        steps=(int(steps[0]), int(steps[-1]), len(steps)),
        severity="note" if is_adversarial(window) else "error" if is_trivial else None,
        confidence=0.93 if is_trivial else 0.75,
        spread=share,
        loss=curve.series.values,
    )


def _shrinks(spreads: Array, curve: Curve, least: float) -> bool:
    """Whether the loss has been brought to nothing by answers that are all the same."""
    values = curve.series.finite.values
    few = max(len(spreads) // 10, 1)
    return (
        len(values) >= 20
        and 0 <= float(np.median(values[-few:])) < 0.05 * float(np.median(values[:3]))
        and float(np.median(spreads[-few:])) < least * spreads[0]
    )


def _scale_of_targets(passes: Table) -> float:
    """Of a single output the spread is all there is: it is compared with what the targets ask for.

    Numbers of classes ask for no such output.
    """
    is_wanted = np.array([call not in CLASSES for call in passes["loss_call"]], bool)
    finite = passes["target_std"][is_wanted & np.isfinite(passes["target_std"])]
    return float(np.median(finite)) if len(finite) else 0.0
