"""non-finite-value: the operation, the data or the update in which NaN or infinity was born."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.autopsy import faults, finding_of, is_known, unexplained, why_unknown
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="error",
    explains=("divergence", "exploding-gradient", "loss-plateau", "loss-spike", "stopped-early", "activation-scale",
              "metric-not-following", "frozen-parameter", "collapsed-output", "dead-relu",
              "vanishing-gradient", "batch-norm-momentum", "parameters-reset"),
)  # fmt: skip
def non_finite_value(window: Window) -> list[Finding] | None:
    """A value that is no number, traced to where it was born.

    ## What it finds
    The first NaN or infinity that reached the loss or a gradient, and the operation that made it out of finite
    values: its line, its layer, its inputs at that place, and the way from there to the loss. The step was run once
    more, one operation at a time, before the optimizer used its gradients. A value that came with the data, that was
    in a parameter or a buffer, or that an update of the optimizer made, is told as such.

    ## Why it matters
    One such value makes the loss NaN, the next update makes all parameters NaN, and nothing is learnt from there on.
    The line where NaN is noticed is rarely the one where it began.

    ## What to try
    Mend the operation that is named: keep logarithms, roots and divisions away from 0, or put a safe value into their
    argument first. Look at the samples that are named.

    ## When it is wrong
    Infinities that a softmax, a maximum or `where` takes in are left out, and NaN that `nan_to_num` hides is a note.
    Where the step could not be run again exactly, the finding is less sure; where nothing came of it, only the
    gradient is told.
    """
    found = faults(window)
    known = [finding_of(window, fault, 0.97) for fault in found if is_known(fault) and not fault.get("growth")]
    if known or not found or any(map(is_known, found)):
        return known or None
    # A loss that is no number is told by others; a gradient that is none, and was used, by nobody else.
    if found[0].get("trigger") == "gradient":
        return [unexplained(window, found[0])]
    raise Skip(f"the step could not be run again: {why_unknown(found[0])}")
