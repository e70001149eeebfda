"""padding-in-loss: positions that are only padding count in the loss."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.chain import SPOILED
from stetho.checks.evidence.compared import CLASSES, REGRESSION
from stetho.checks.evidence.labels import label_counts, labels_a_sample
from stetho.checks.mechanisms.placeholders import placeholders
from stetho.checks.run.facts import Loss
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="warning", explains=(*SPOILED, "single-label-batches", "split-leak"))
def padding_in_loss(window: Window, *, share: float = 0.1) -> Finding | None:
    """Padding counts in the loss.

    ## What it finds
    More than the `share` of the targets that count are at positions where the input is padding: the token that ends
    rows of different lengths, or that an embedding names as its `padding_idx`. Or inputs and targets are sequences of
    numbers that one value fills up at their ends, and the loss counts what is predicted there. Or samples that are
    evaluated by several classes are trained on as well, and have one and the same class there: they have no label.

    ## Why it matters
    Predicting padding is easy and worth nothing. It makes loss and accuracy look good, and takes its share of every
    gradient.

    ## What to try
    Pass `ignore_index` with the id of the padding, or multiply the loss by the mask of real tokens.

    ## When it is wrong
    An end-of-text token that is repeated and is to be learnt.
    """
    calls = [loss for loss in window.losses if loss.call in (*CLASSES, *REGRESSION) and loss.phase == "train"]
    if not calls:
        raise Skip("no cross entropy was called, and no difference with a target")
    for loss in calls:
        unlabelled = placeholders(window, loss)
        if unlabelled is not None:
            return unlabelled
        if loss.reduction not in ("mean", "sum") and not loss.call.startswith("hand_written"):
            continue
        found = _padded(window, loss)
        if found is not None and found > share:
            ignoring = f" (ignore_index {loss.ignore_index})" if loss.ignore_index is not None else ""
            return window.finding(
                f"{found:.0%} of the targets that count in {loss.call} are padding{ignoring}",
                # A difference knows no `ignore_index`: it is masked where it is called.
                where=window.at(loss.line if loss.call in REGRESSION else loss.place),
                confidence=0.92,
                share=found,
                ignore_index=float(loss.ignore_index if loss.ignore_index is not None else -100),
            )
    return None


def _padded(window: Window, loss: Loss) -> float | None:
    seen = loss.settings.get("padding_share")
    if isinstance(seen, float | int):
        filler = loss.settings.get("padding_target")
        unweighted = loss.weight is not None and isinstance(filler, int) and loss.weight[filler : filler + 1] == (0.0,)
        return None if unweighted else float(seen)
    if loss.call in REGRESSION:
        return None
    fillers = {layer.number("padding_idx") for layer in window.layers if layer.is_kind("Embedding")} - {None}
    counts, _ = label_counts(window)
    rows = window.batches("train")
    if not fillers or not len(counts) or labels_a_sample(rows) <= 1.5:
        return None
    filler = int(min(filler for filler in fillers if filler is not None))
    total = counts.sum(0)
    # Only where tokens are predicted is a label the id of a token.
    vocabulary = {layer.number("0") for layer in window.layers if layer.is_kind("Embedding")}
    if len(total) not in vocabulary or filler >= len(total) or filler == loss.ignore_index:
        return None
    return float(total[filler] / total.sum())
