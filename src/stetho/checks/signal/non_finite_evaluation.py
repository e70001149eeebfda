"""non-finite-evaluation: NaN that comes up where the model is evaluated, though training has none."""

from stetho.checks.declare import check
from stetho.checks.evidence.autopsy import faults, faults_of_evaluations, finding_of, is_known
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="error", explains=("evaluation-at-chance", "metric-not-following", "overfitting"))
def non_finite_evaluation(window: Window) -> list[Finding] | None:
    """A loss, a metric or an output that is no number in an evaluation alone.

    ## What it finds
    A number that is NaN at the end of what an evaluation computes from the output of a model, or an output with NaN in
    it: the operation that made it out of finite values, with its line, its layer and its inputs. The call was run once
    more, one operation at a time. A loss is an error, other numbers and outputs are a warning.

    ## Why it matters
    Training goes on as if nothing were wrong, and the number that chooses the best model is lost: a comparison with NaN
    is never true, and the largest of many scores is the first one if they are NaN.

    ## What to try
    Mend the operation that is named. Look at the samples that are named: training has not met such ones.

    ## When it is wrong
    Metrics that are not defined for some batches, as a recall without positives, and are left out afterwards by the
    program in a way that is not seen here: in numpy, or in a later call.
    """
    if any(is_known(fault) for fault in faults(window)):
        return None
    return [finding_of(window, fault, 0.95) for fault in faults_of_evaluations(window) if is_known(fault)] or None
