"""weights-shared-by-accident: one module stands where several were meant."""

from collections import Counter

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.symptoms import OVERFITTED
from stetho.checks.run.facts import Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding, Severity

LISTS = ("ModuleList", "ModuleDict", "Sequential")
WITH_STATISTICS = ("BatchNorm", "SyncBatchNorm")
SHARED_BY_CUSTOM = ("PReLU",)
HARDLY_LEARNED = 0.5
"""The share of the error of a guess from which on a result is bad."""


@check(severity="warning", explains=(*OVERFITTED, "collapsed-output", "loss-plateau", "too-small-model"))
def weights_shared_by_accident(window: Window, *, often: float = 1.9) -> list[Finding] | None:
    """One module is used in several places where several were meant.

    ## What it finds
    A module with parameters that a list, a dict or a sequence of modules holds several times, as `[layer] * 3` makes
    it; one that has several names and is given the same tensor under them; a batch norm that is registered once and
    normalises the outputs of several layers. It must be called more than `often` times in a pass.

    ## Why it matters
    The places share their weights: outputs that should differ are equal, depth adds nothing, and a batch norm mixes
    the statistics of all its places, which fit none of them in evaluation.

    ## What to try
    Make a new module for each place: `nn.ModuleList(make_layer() for _ in range(3))`, or `copy.deepcopy`.

    ## When it is wrong
    Weights that are shared on purpose. A single name that is called many times, parameters tied between two layers and
    parts that two models share are left out; two names in one module are a note, unless more than half of the error
    of a guess is left at the end.
    """
    shared = [layer for layer in window.layers if layer.also and _has_weights(window, layer)]
    norms = [layer for layer in window.layers if not layer.also and layer.is_kind(*WITH_STATISTICS)]
    if not any(layer.calls for layer in window.layers):
        raise Skip("no layer was called")
    findings = [_aliased(window, layer, often) for layer in shared] + [_reused(window, norm, often) for norm in norms]
    return [finding for finding in findings if finding is not None] or None


def _aliased(window: Window, layer: Layer, often: float) -> Finding | None:
    names = (layer.name, *layer.also)
    severity = _certainty(window, layer)
    if severity is None or layer.is_kind(*SHARED_BY_CUSTOM) or _calls_a_pass(window, layer) < often:
        return None
    return window.finding(
        f"one {layer.kind} is registered under {len(names)} names: {', '.join(names[:4])}",
        where=window.at(layer=layer),
        severity=severity,
        confidence=0.93 if layer.given_twice else 0.9,
        names=", ".join(names[:16]),
        calls_a_pass=_calls_a_pass(window, layer),
    )


def _certainty(window: Window, layer: Layer) -> Severity | None:
    """How sure it is that several modules were meant."""
    holders = Counter(name.rpartition(".")[0] for name in (layer.name, *layer.also))
    twice = [window.layer(holder, layer.model) for holder, count in holders.items() if count > 1]
    in_list = any(holder is not None and holder.kind in LISTS for holder in twice)
    if in_list or layer.given_twice or layer.is_kind(*WITH_STATISTICS):
        return "warning"
    if not twice:
        return None
    # Two names in one module may be meant: where the model hardly beats a guess, they are what to look at.
    return "warning" if (error_left(window) or 0.0) > HARDLY_LEARNED else "note"


def _reused(window: Window, norm: Layer, often: float) -> Finding | None:
    # In a recurrence the layers before it are called as often as it is; those called once are places of their own.
    sources = [
        source
        for edge in window.edges
        if (edge.target, edge.model) == (norm.name, norm.model)
        and (source := window.layer(edge.source, edge.model)) is not None
        and 0 < _calls_a_pass(window, source) < often
    ]
    calls = _calls_a_pass(window, norm)
    if len(sources) < 2 or calls < max(often, len(sources) - 0.1) or norm.setting("track_running_stats") == "False":
        return None
    return window.finding(
        f"one {norm.kind} normalises the outputs of {len(sources)} layers: "
        + ", ".join(source.name for source in sources[:4]),
        where=window.at(layer=norm),
        confidence=0.92,
        calls_a_pass=calls,
    )


def _calls_a_pass(window: Window, layer: Layer) -> float:
    calls = window.layer_stat("act.calls", layer)
    passes = window.steps["forwards"]
    passes = passes[np.isfinite(passes) & (passes > 0)]
    if calls is None or not len(calls.finite):
        return 0.0
    return calls.median() / float(np.median(passes) if len(passes) else 1.0)


def _has_weights(window: Window, layer: Layer) -> bool:
    inside = f"{layer.name}." if layer.name else ""
    return any(each.model == layer.model and each.name.startswith(inside) for each in window.parameters)
