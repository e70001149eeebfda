"""Keys that a mapping does not have."""

import difflib
from re import Match

from stetho.explaining.declare import explains
from stetho.explaining.scene import Explanation, Scene

_MOST = 12


@explains(
    "missing-key",
    r"^(?:KeyError: )?(['\"])(.+)\1$",
)
def missing_key(match: Match[str], scene: Scene) -> Explanation | None:
    """`'inputs'`, of a KeyError."""
    if scene.kind != "KeyError" or scene.held is None:
        return None
    key, (name, keys) = match[2], scene.held
    known = ", ".join(map(repr, keys[:_MOST])) + (f" and {len(keys) - _MOST} more" if len(keys) > _MOST else "")
    close = difflib.get_close_matches(key, keys, n=1)
    return Explanation(
        f"`{name}` has no {key!r}" + ("" if keys else ": it is empty"),
        (("keys", known),) if keys else (),
        (f"`{name}[{close[0]!r}]`",) if close else (),
    )
