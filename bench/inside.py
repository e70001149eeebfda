"""How much of a step was ours, as the recorded run itself tells it: time inside our hooks.

Where turns of bare and watched training cannot tell 2 % from noise, this can. It leaves out what the framework spends
on calling the hooks.
"""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

COLUMNS = ("step", "tier", "ours_seconds")
TIERS = ("full", "cheap", "clock")


def reduce(columns: Mapping[str, Sequence[Any]], skip: int, steps: int, bare: float) -> dict[str, object]:
    """The `steps` after the first `skip`: what they cost together next to bare ones, and each tier alone.

    How long a watched step took says nothing: the first of a turn holds the wait for it as well.

    >>> columns = {"step": [1, 2], "tier": ["full", "cheap"], "ours_seconds": [8.0, 0.1]}
    >>> reduce(columns, skip=1, steps=1, bare=1.0)
    {'ratio': 1.1, 'tiers': {'cheap': {'steps': 1, 'ms': 100.0}}}
    """
    rows = [row for row in zip(*(columns[name] for name in COLUMNS), strict=True) if row[0] > skip]
    if not rows:  # all of them were slept through
        return {}
    by_tier = {tier: [row[2] for row in rows if row[1] == tier] for tier in TIERS}
    return {
        "ratio": round(1 + sum(row[2] for row in rows) / (steps * bare), 6),
        "tiers": {tier: {"steps": len(one), "ms": median(one) * 1e3} for tier, one in by_tier.items() if one},
    }
