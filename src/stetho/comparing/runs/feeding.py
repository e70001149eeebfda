"""What a layer is called on: whether it is something else in one of the runs."""

import re
from collections.abc import Sequence

from stetho.comparing.runs.places import Place
from stetho.comparing.runs.recorded import Recorded

INPUT = "(input)"
LEAST_VARIANCE = 25.0
"""Of the number of dropped elements: two drawings drop as many of them by chance in one of 18 cases at most."""


def fed_otherwise(place: Place, sides: Sequence[Recorded]) -> str:
    """Where a layer takes what another layer gives in one of the runs: both of its sources in words."""
    sources = [_sources(place, side) for side in sides]
    names = {name for source in sources for name, _ in source if name != INPUT}
    if (
        sources[0] == sources[1]
        or not all(sources)
        or any((place.model, n) not in s.layers for n in names for s in sides)
    ):
        return ""
    words = [" and ".join(f"`{name}`{way}" for name, way in source) for source in sources]
    return f"it is called on what {words[0]} gives in the first, {words[1]} in the second"


def _sources(place: Place, side: Recorded) -> list[tuple[str, str]]:
    """The layers whose outputs a layer takes, each with the functions in between."""
    edges = next((model.get("edges") or [] for model in side.models if model.get("id") == place.model), [])
    return [
        (source, f" through {', '.join(between)}" if between else "")
        for source, to, between in edges
        if to == place.name
    ]


def drops_alike(place: Place) -> bool:
    """Whether a dropout drops as many elements in both runs, of so many that chance does not do that.

    Elements of its input that are zero anyway are the same number in both, or the counts differ.
    """
    zeros, others = (side.get("zeros", 0.0) for side in (place.one, place.other))
    chance = re.search(r"p=([\d.]+)", str(place.layer.get("settings")))
    if not zeros or zeros != others or chance is None or "Dropout" not in str(place.layer.get("class")):
        return False
    share = float(chance[1].rstrip("."))
    return place.one.get("count", 0.0) * share * (1 - share) >= LEAST_VARIANCE
