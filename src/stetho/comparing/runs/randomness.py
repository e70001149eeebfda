"""What is left to chance in two runs, and whether it came out the same."""

import re

from stetho.comparing.runs.data import Data
from stetho.comparing.runs.recorded import Recorded

SAME_ORDER = "the same order in both runs"


def randomness_of(one: Recorded, other: Recorded, data: Data) -> list[str]:
    """Sources of randomness that could make two runs of the same code differ."""
    left = [words for side in (one,) for words in _drawn(side)]
    left += [f"{words} (second run alone)" for words in _drawn(other) if words not in left]
    shuffled = [loader for side in (one, other) for loader in side.fact("loaders") if loader.get("shuffled")]
    if shuffled:
        order = {"same": SAME_ORDER, "changed": SAME_ORDER, "order": "another order in each run"}.get(data.kind)
        left.append(f"shuffling of {shuffled[0].get('dataset')}" + (f": {order}" if order else ""))
    unseeded = [side.name for side in (one, other) if not side.run.info.get("options", {}).get("deterministic")]
    if left and unseeded:
        left.append("seeds are the program's own; --deterministic sets them from outside")
    return left


def _drawn(side: Recorded) -> list[str]:
    drawing = [layer for layer in side.layers.values() if drops(str(layer.get("class")), str(layer.get("settings")))]
    workers = max((loader.get("workers") or 0 for loader in side.fact("loaders")), default=0)
    found = [f"dropout in {len(drawing)} layer{'s' if len(drawing) > 1 else ''}"] if drawing else []
    return found + ([f"{workers} workers that load data"] if workers else [])


def drops(kind: str, settings: str) -> bool:
    """Whether a layer of these settings draws random numbers.

    >>> drops("Dropout", "p=0.1, inplace=False"), drops("Dropout", "p=0.0"), drops("LSTM", "4, 4, dropout=0.5")
    (True, False, True)
    """
    chance = re.search(r"p=([\d.]+)", settings) if "Dropout" in kind else re.search(r"dropout=([\d.]+)", settings)
    return chance is not None and float(chance[1].rstrip(".") or 0) > 0
