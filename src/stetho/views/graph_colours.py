"""The colours of a drawn network: by class, or by a number on a scale of powers, as the page has them."""

import math

from stetho.inspect.network import ROOT, Network, Node
from stetho.views import text

FILLS = {"input": "#e7f0fe", "output": "#e7f0fe", "operation": "#ffffff"}
FAILED, WITHOUT, NOT_FINITE = "#fee4e2", "#f4f5f7", "#7a00cc"
STOPS = ((253, 246, 227), (254, 217, 118), (253, 141, 60), (227, 26, 28), (128, 0, 38))
DARK = 330
OPEN = 0.12
"""Open boxes are paler, so that what is in them can be seen."""


class Colours:
    """Fills by class, or by a measure of the nodes.

    >>> nodes = (Node(0, "layer", "net", parent=None), Node(1, "layer", "a", numbers={"n": 1.0}))
    >>> Colours(Network("net", nodes, ()), "n").fill(nodes[1], is_open=False)
    'rgb(253,246,227)'
    """

    def __init__(self, network: Network, measure: str = "class") -> None:
        self._measure = measure
        values = [abs(each.numbers[measure]) for each in network.nodes if each.id != ROOT and measure in each.numbers]
        finite = [value for value in values if value > 0 and math.isfinite(value)]
        self._low, self._high = (min(finite), max(finite)) if finite else (1.0, 1.0)

    @property
    def legend(self) -> str:
        """What the colours mean; empty where they are those of classes."""
        if self._measure == "class":
            return ""
        return f"{self._measure}: {text.number(self._low)} … {text.number(self._high)}"

    def fill(self, node: Node, *, is_open: bool) -> str:
        """The colour of a box."""
        if self._measure != "class":
            return self._shade(node.numbers.get(self._measure, 0))
        if node.about.get("failed"):
            return FAILED
        hue = 7
        for letter in node.sub or node.label:
            hue = (hue * 31 + ord(letter)) % 360
        return FILLS.get(node.kind) or f"hsl({hue} 70% {97 if is_open else 92}%)"

    def _shade(self, value: float) -> str:
        if not math.isfinite(value):
            return NOT_FINITE
        if value == 0:
            return WITHOUT
        part = math.log(abs(value) / self._low) / (math.log(self._high / self._low) or 1)
        place = min(0.999, max(0.0, part)) * (len(STOPS) - 1)
        low, rest = int(place), place - int(place)
        mixed = (round(a + (b - a) * rest) for a, b in zip(STOPS[low], STOPS[low + 1], strict=True))
        return f"rgb({','.join(map(str, mixed))})"


def is_dark(fill: str) -> bool:
    """Whether black letters cannot be read on it.

    >>> is_dark("rgb(128,0,38)"), is_dark("rgb(254,217,118)"), is_dark("#ffffff")
    (True, False, False)
    """
    return fill.startswith("rgb(") and sum(map(int, fill[4:-1].split(","))) < DARK
