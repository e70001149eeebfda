"""Calls that never end."""

from re import Match

from stetho.explaining.declare import explains
from stetho.explaining.scene import Explanation, Scene


@explains(
    "recursion",
    r"maximum recursion depth exceeded",
)
def without_end(_match: Match[str], scene: Scene) -> Explanation:
    """`maximum recursion depth exceeded`."""
    return Explanation(
        "a function calls itself, on this way or another, and nothing ends it",
        (("again at", str(scene.repeated)),) if scene.repeated is not None else (),
        (
            "a condition that ends the calls: a depth, a leaf",
            "a loop instead; sys.setrecursionlimit only when the depth is truly needed",
        ),
    )
