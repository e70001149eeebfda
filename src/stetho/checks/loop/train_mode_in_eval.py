"""train-mode-in-eval: dropout and batch norm go on as in training while the model is evaluated."""

from stetho.checks.declare import Skip, check
from stetho.checks.facts import Layer
from stetho.checks.symptoms import OVERFITTED
from stetho.checks.window import Window
from stetho.findings.finding import Finding

DIFFERENT_IN_TRAINING = ("Dropout", "AlphaDropout", "FeatureAlphaDropout", "BatchNorm", "SyncBatchNorm", "RReLU")


def behaves_differently(window: Window, model: int) -> list[Layer]:
    """Layers of a model that do something else in training than in evaluation."""
    layers = [each for each in window.layers if each.model == model and each.is_kind(*DIFFERENT_IN_TRAINING)]
    return [each for each in layers if not (each.is_kind("Dropout") and each.number("p") == 0)]


@check(severity="error", explains=(*OVERFITTED, "collapsed-output", "preprocessing-differs"))
def train_mode_in_eval(window: Window, *, share: float = 0.9, least: int = 2) -> Finding | None:
    """The model is evaluated in training mode.

    ## What it finds
    Passes without gradients that compute a loss or a score (at `least` so many), more than the share `share` of them in
    training mode, of a model with dropout or batch norm.

    ## Why it matters
    Dropout goes on dropping, and batch norm normalises with the batch at hand and learns the statistics of the
    evaluation data: scores are too low, differ from run to run, and leak.

    ## What to try
    Call `model.eval()` before the evaluation, and `model.train()` after it.

    ## When it is wrong
    Monte-Carlo dropout, or statistics that are meant to adapt to the evaluation data.
    """
    passes = window.batches("eval")
    judged = passes["loss_call"] != None  # noqa: E711  # an array of texts and None, compared one by one
    without_gradients = passes["grad"] == 0
    for model in window.models:
        mine = without_gradients & judged & (passes["model"] == model.id)
        different = behaves_differently(window, model.id)
        if mine.sum() < least or not different:
            continue
        training = passes["training"][mine]
        if training.mean() >= share:
            steps = passes["step"][mine]
            return window.finding(
                f"{int(training.sum())} of {len(training)} evaluation passes ran in training mode, with "
                f"{len(different)} layers that differ ({different[0].kind})",
                where=_call(window, model.id),
                steps=(steps[0], steps[-1], len(steps)),
                confidence=0.95,
                layers=", ".join(layer.name for layer in different[:6]),
            )
    if not (without_gradients & judged).any():
        raise Skip("no evaluation with a known loss was seen")
    return None


def _call(window: Window, model: int) -> str | None:
    line = next((loss.line for loss in window.losses if loss.phase == "eval"), None)
    top = window.layer("", model)
    return line or (top.called if top is not None else None)
