"""nan-input: inputs that are not numbers."""

from dataclasses import replace

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.autopsy import Fault, faults, finding_of, is_harm, is_in_input, is_known
from stetho.checks.evidence.inputs import content_line
from stetho.checks.mechanisms.undefined import made_by
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="error",
    explains=("non-finite-value", "divergence", "non-finite-value", "overflow", "exploding-gradient", "loss-plateau",
              "learning-rate-too-high", "loss-spike", "constant-input", "input-not-scaled",
              "features-of-different-scale", "frozen-parameter", "metric-not-following", "activation-scale",
              "loss-scale-collapse", "preprocessing-differs", "summed-loss", "badly-scaled-init",
              "labels-independent-of-inputs", "dead-relu", "collapsed-output"),
)  # fmt: skip
def nan_input(window: Window) -> Finding | None:
    """NaN or infinite inputs.

    ## What it finds
    NaN or infinite values in the input of a model, before or in the step in which the loss became NaN. If the loss
    stays finite it is a note: the model may well fill them in itself. The program's text is read for a division, a
    logarithm or a root on the way of the data that can have made such values: preparation is not run again.

    ## Why it matters
    One NaN in one sample makes the loss NaN, and after the next update all parameters.

    ## What to try
    Look for missing values, a division by a deviation of 0, or a logarithm of 0 in the preparation of the data.

    ## When it is wrong
    Models that take NaN as "missing" and replace it.
    """
    rows = window.batches("train")
    born = next((fault for fault in faults(window) if is_in_input(fault)), None)
    if born is not None:
        # The look at the step ends at the call; the text of the program may say where the values come from.
        made = _on_the_way(window) or window.given(content_line(window), "undefined")
        found = finding_of(window, born, 0.97)
        return _made_at(window, found, made, born) if made is not None else found
    if not np.isfinite(rows["nan"]).any():
        raise Skip("no inputs were looked at")
    infinite = np.isinf(rows["min"]) | np.isinf(rows["max"]) | np.isinf(rows["mean"])
    bad = (rows["nan"] > 0) | infinite
    if not bad.any():
        return None
    losses = window.loss_series()
    spoiled = losses.steps[~np.isfinite(losses.values)]
    first = int(rows["step"][bad][0])
    cause = bool(len(spoiled)) and first <= int(spoiled[0])
    count = int(np.nansum(rows["nan"][bad]))
    # What NaN brings forth by itself, such as inputs made from earlier outputs, begins after the loss. And what one
    # model hands to another is an input as well: where the birth is known, it is told there.
    born_elsewhere = any(
        is_known(fault) and is_harm(fault) and fault.get("step", 0) <= first for fault in faults(window)
    )
    if len(spoiled) and (born_elsewhere or not cause):
        return None
    what = f"{count} NaN in the inputs" if count else "infinite inputs"
    after = f"the loss is not finite from step {int(spoiled[0])}" if cause else "the loss stays finite"
    return window.finding(
        f"{what} of {int(bad.sum())} batches, first at step {first}; {after}",
        where=window.at(window.given(content_line(window, int(rows["model"][bad][0])), "undefined")),
        steps=(first, int(rows["step"][bad][-1]), int(bad.sum())),
        severity="error" if cause else "note",
        confidence=0.97,
        nan=rows["nan"][bad],
    )


def _made_at(window: Window, found: Finding, line: str, born: Fault) -> Finding:
    """The finding with the line that made the values, and the operation there, where that can give such ones."""
    operation = window.facts.given.get(line, {}).get("undefined operation")
    bad = list(born.get("samples") or ())
    # The first of them are listed: what is left out before the last of these is spared.
    are_some_spared = bad != list(range(len(bad)))
    made = made_by(operation, str(born.get("result", "")), are_some_spared=are_some_spared)
    if made is None and are_some_spared and made_by(operation, str(born.get("result", ""))) is not None:
        # What is divided was no number before: the values come from the data, or from what is done with them earlier.
        return replace(found, where=window.at(content_line(window) or line))
    if made is None:
        return replace(found, where=window.at(line))
    # The text tells what can have made them, and nobody has seen it happen.
    title = found.title.replace(", which makes", f", most likely from {made.by}, which makes", 1)
    prevention = f"{made.prevention[:1].upper()}{made.prevention[1:]}. {found.try_next}".strip()
    return replace(found, where=window.at(line), title=title, try_next=prevention)


def _on_the_way(window: Window) -> str | None:
    """Where the program changes what it hands to the model such that it may become no number."""
    called = next((layer.called for layer in window.layers if not layer.name), None)
    return window.facts.given.get(called or "", {}).get("undefined before")
