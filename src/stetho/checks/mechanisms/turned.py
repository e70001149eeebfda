"""Pictures that are mirrored or turned at random: what their labels say may be lost with that."""

from stetho.checks.evidence.redrawn import are_redrawn_or_new
from stetho.checks.window import Window


def advice_on_turning(window: Window) -> str:
    """What to try first where labels do not follow from pictures that are turned at random; else nothing."""
    line = window.probes.get("turned", {}).get("line")
    shapes = [shape for shape in window.batches("train")["shape"] if shape is not None]
    if not line or not shapes or len(shapes[0]) != 4 or not are_redrawn_or_new(window):
        return ""
    place = str(line).rpartition("/")[2]
    return (
        f"Pictures are mirrored or turned at {place}: leave that out first, if the label depends on how they lie. Then "
        "print a few samples beside their labels right before the model."
    )
