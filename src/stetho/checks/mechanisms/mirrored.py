"""Pictures that are turned or mirrored while their targets, one for each pixel, are not."""

from collections import Counter

import numpy as np

from stetho.checks.evidence.inputs import content_line
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_SAMPLES = 32
CLEARLY = 0.25
"""By so much more must a target go with its picture when it is turned, as a correlation."""
MOST_BY_CHANCE = 0.15


def mirrored(window: Window) -> Finding | None:
    """Targets that fit their own pictures only when they are turned, better than those of other pictures ever do."""
    straight, turned, chance = window.probed("mirrored", "straight", "turned", "chance")
    if len(straight) < LEAST_SAMPLES:
        return None
    is_turned = (turned > straight + CLEARLY) & (turned > np.quantile(chance, 0.95))
    share = float(is_turned.mean())
    if share < MOST_BY_CHANCE:
        return None
    line = window.probes.get("turned", {}).get("line")
    ways = np.asarray(window.probes["mirrored"].get("ways", ()), str)[is_turned]
    usual = Counter(ways.tolist()).most_common(1)[0][0]
    return window.finding(
        f"{share:.0%} of {len(straight)} training pictures do not lie as their targets do: these fit when they are "
        f"turned as well, most often {usual}",
        where=window.at(str(line) if line else content_line(window)),
        confidence=0.93,
        try_next="Draw what to do once for each sample, and do it to the picture and to its target.",
        turned_share=share,
        straight=straight,
        turned=turned,
    )
