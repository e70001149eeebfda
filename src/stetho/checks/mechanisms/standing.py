"""A copy of the model that makes its targets, and never gets the weights that the model has learnt."""

from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_STEPS = 100
LEAST_LOOKS = 8
FAR = 0.1
"""The trained model has moved by so much of the size of its weights."""


def standing(window: Window) -> Finding | None:
    """A fresh copy that is asked for targets in every step, and stays as it was made while the model moves on.

    Where the program's text brings weights up to date at a line that was not reached, the time may still come.
    """
    found = window.probes.get("standing", {})
    looks, last, way = int(found.get("looks", 0)), int(found.get("last", 0)), float(found.get("way", 0.0))
    if window.count < LEAST_STEPS or looks < LEAST_LOOKS or last < 0.8 * window.last_step or not way > FAR:
        return None
    reached = {load.line for load in window.loads}
    if not set(window.lines.get("renewed", ())) <= reached:
        return None
    model = int(found.get("model", -1))
    called = next((layer.called for layer in window.layers if layer.model == model and not layer.name), None)
    made = next((each.line for each in window.models if each.id == model), None)
    return window.finding(
        f"the copy of the model that is asked for targets in every step still has the weights that both began with "
        f"after {last} steps, and the model has moved by {way:.0%} of theirs",
        where=window.at(called or made),
        severity="warning",
        confidence=0.9,
        try_next="Bring the copy up to date in the loop: `target.load_state_dict(model.state_dict())` every so many "
        "steps, or a small step towards the model after each update.",
        way=way,
        looks=float(looks),
    )
