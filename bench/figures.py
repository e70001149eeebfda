"""How the modules that measure by themselves print their figures."""

import json
from collections.abc import Mapping


def show(figures: Mapping[str, float], *, as_json: bool) -> None:
    """A line for each figure, or one JSON object.

    >>> show({"rows": 3000.0}, as_json=False)
    rows                         3,000.000
    """
    rounded = {key: round(value, 3) for key, value in figures.items()}
    if as_json:
        print(json.dumps(rounded))
        return
    for key, value in rounded.items():
        print(f"{key:<24}{value:>14,.3f}")
