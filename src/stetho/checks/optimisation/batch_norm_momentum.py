"""batch-norm-momentum: running statistics that never arrive, or forget at once."""

from stetho.checks.declare import Skip, check
from stetho.checks.run.facts import Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="warning",
    explains=("metric-not-following", "overfitting", "evaluation-at-chance", "preprocessing-differs"),
)
def batch_norm_momentum(window: Window, *, low: float = 0.005, high: float = 0.7, left: float = 0.5) -> Finding | None:
    """Batch norm with an extreme momentum.

    ## What it finds
    A batch norm whose momentum is above `high`, so that its running statistics are those of the last batch, or below
    `low`, so that after the whole run more than the share `left` of them is still their initial value.

    ## Why it matters
    Training uses the statistics of each batch and looks fine; evaluation uses the running ones and is wrong.

    ## What to try
    Use `momentum=0.1`. Other frameworks write it as one minus this number: their 0.99 is 0.01 here.

    ## When it is wrong
    Models that are never evaluated with running statistics.
    """
    norms = [layer for layer in window.layers if layer.is_kind("BatchNorm", "SyncBatchNorm") and layer.calls]
    known = [(layer, value) for layer in norms if (value := _momentum(layer)) is not None]
    if not known:
        raise Skip("there is no batch norm with running statistics")
    for layer, momentum in known:
        remaining = (1 - momentum) ** max(window.batches("train").count, window.last_step)
        if momentum > high or (momentum < low and remaining > left):
            effect = (
                "its running statistics are those of the last batch"
                if momentum > high
                else f"{remaining:.0%} of its running statistics are still the initial ones"
            )
            return window.finding(
                f"{layer.name} has momentum {momentum:g}: {effect}",
                where=window.at(window.given(layer.line, "momentum", momentum), layer=layer),
                confidence=0.9,
                momentum=momentum,
                layers=float(len(known)),
            )
    return None


def _momentum(layer: Layer) -> float | None:
    """Its momentum; None when it averages over all batches or keeps no running statistics."""
    return layer.number("momentum") if layer.setting("track_running_stats") != "False" else None
