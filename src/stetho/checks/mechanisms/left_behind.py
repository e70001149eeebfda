"""A copy that is evaluated and follows the weights of the model, but not the running statistics of its batch norms."""

import numpy as np

from stetho.checks.mechanisms.lagging import BEHIND, LEAST_STEPS
from stetho.checks.window import Window
from stetho.findings.finding import Finding


def left_behind(window: Window) -> Finding | None:
    """All batch norms of the copy answer by the mean 0 and the variance 1 that they were made with, at the end."""
    found = window.probes.get("lagging", {})
    norms, as_made = int(found.get("norms", 0)), int(found.get("norms_as_made", 0))
    model, step = int(found.get("model", -1)), int(found.get("step", 0))
    if not norms or as_made < norms or window.count < LEAST_STEPS or step < 0.9 * window.last_step:
        return None
    # Where the weights have not come either, all of it is old.
    if not float(found.get("gone", 0.0)) >= BEHIND or window.is_trained(model):
        return None
    rows = window.batches("eval", model)
    if not (np.isfinite(rows["loss"]) | (rows["counted"] > 0)).any():
        return None
    # Where a whole state is loaded, buffers come along: what is left are lines that go over the parameters.
    renewed = [line for line in window.lines.get("renewed", ()) if line not in {load.line for load in window.loads}]
    made = next((each.line for each in window.models if each.id == model), None)
    return window.finding(
        f"the copy of the model that is evaluated follows its weights, and the running statistics of its batch "
        f"norm{'s' if norms > 1 else ''} are still mean 0 and variance 1 after {step} steps",
        where=window.at(renewed[0] if len(renewed) == 1 else made or window.line("evaluation")),
        confidence=0.95,
        try_next="Copy the buffers of the model as well (`buffers()`, or the whole `state_dict()`), or let "
        "`torch.optim.swa_utils.update_bn` compute them before the copy is evaluated.",
        norms=float(norms),
    )
