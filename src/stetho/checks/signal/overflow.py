"""overflow: values that grew until their type could not hold them."""

from stetho.checks.declare import check
from stetho.checks.evidence.autopsy import faults, finding_of, is_known
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="error",
    explains=("divergence", "loss-plateau", "stopped-early", "metric-not-following",
              "frozen-parameter", "collapsed-output", "activation-scale"),
)  # fmt: skip
def overflow(window: Window) -> list[Finding] | None:
    """A value that is too large for its type.

    ## What it finds
    The operation in which a value first became infinite because its inputs had grown too large: an exponential, a
    product, a sum, a conversion to half precision, an update. Its line, its layer, and the range of its inputs.

    ## Why it matters
    Infinity minus infinity and infinity times 0 are NaN; one operation later the loss is lost.

    ## What to try
    Find out why the inputs grew: a learning rate that is too high, inputs that are not scaled, weights that started
    too large. Clip the gradient. In half precision, compute this operation in float32.

    ## When it is wrong
    The operation is where it ended, rarely where it began: another finding that tells why values grow comes first.
    """
    return [
        finding_of(window, fault, 0.8) for fault in faults(window) if is_known(fault) and fault.get("growth")
    ] or None
