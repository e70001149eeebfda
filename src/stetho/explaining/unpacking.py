"""Values that are taken apart: more or fewer than there are names, or nothing that has parts."""

import re
from dataclasses import replace
from re import Match

from stetho.explaining.declare import explains
from stetho.explaining.scene import Explanation, Scene, Unpacked

_MOST = 8


@explains(
    "number-of-values",
    r"too many values to unpack \(expected (\d+)\)",
    r"not enough values to unpack \(expected (?:at least )?(\d+), got \d+\)",
)
def number_of_values(match: Match[str], scene: Scene) -> Explanation | None:
    """`too many values to unpack (expected 2)`, and `not enough values to unpack (expected 3, got 2)`."""
    unpacked, wanted = scene.unpacked, int(match[1])
    if unpacked is None:
        return None
    if unpacked.kind in ("values", "dict", "shape") and not _agrees(scene.message, wanted, len(unpacked.parts)):
        # A function may give back one thing here and another there.
        unpacked = replace(unpacked, kind="unknown", parts=(), fits=())
    names = f"`{unpacked.targets}` take{'s' if wanted == 1 else ''} {wanted} value{'s' if wanted != 1 else ''}"
    return Explanation(f"{names}, and {_offer(unpacked, scene.message)}", _facts(unpacked), _fits(unpacked))


def _agrees(message: str, wanted: int, count: int) -> bool:
    got = re.search(r"got (\d+)", message)
    return count == int(got[1]) if got is not None else count > wanted


def _offer(unpacked: Unpacked, message: str) -> str:
    """What is there to be taken."""
    subject, count = unpacked.subject, len(unpacked.parts)
    match unpacked.kind:
        case "shape":
            return f"{subject} has {count}: {list(map(int, unpacked.parts))}"
        case "dict":
            return f"{subject} is a dict of {count}: taken apart, it gives its keys"
        case "tensor":
            return f"{subject} is one tensor: taken apart, it gives its rows"
        case "values":
            return f"{subject} {'has' if unpacked.is_loop else 'gives'} {count}"
    return f"{subject} gives {'fewer' if message.startswith('not enough') else 'more'}"


def _facts(unpacked: Unpacked) -> tuple[tuple[str, str], ...]:
    more = f" and {len(unpacked.parts) - _MOST} more" if len(unpacked.parts) > _MOST else ""
    shown = unpacked.parts and unpacked.kind in ("values", "dict", "tensor")
    has = (("it has" if unpacked.is_loop else "these are", ", ".join(unpacked.parts[:_MOST]) + more),) if shown else ()
    return (*has, *((("given back at", str(unpacked.made)),) if unpacked.made is not None else ()))


def _fits(unpacked: Unpacked) -> tuple[str, ...]:
    if unpacked.fits:
        return unpacked.fits
    if unpacked.kind == "unknown":
        return (f"print what comes before it is taken apart: type, length, shapes of `{unpacked.source}`",)
    if unpacked.kind == "shape":
        return ("as many names as axes; unsqueeze or flatten before, where an axis is missing or too many",)
    return (
        ("one name, and then its parts",) if unpacked.kind != "values" else ("a name for each; `_` for those unused",)
    )


@explains(
    "nothing-to-take-apart",
    r"cannot unpack non-iterable (\w+) object",
    r"'(\w+)' object is not iterable",
    r"iteration over a 0-d (tensor)",
)
def no_parts(match: Match[str], scene: Scene) -> Explanation | None:
    """`cannot unpack non-iterable NoneType object`, `'int' object is not iterable`, `iteration over a 0-d tensor`."""
    unpacked, kind = scene.unpacked, match[1]
    if unpacked is None:
        return None
    what = {"NoneType": "None", "tensor": "one number"}.get(kind, f"one {kind}")
    source = f"`{unpacked.source}`"
    title = f"{source} is {what}: it cannot be {'gone through' if unpacked.is_loop else 'taken apart'}"
    return Explanation(title, _facts(unpacked), _ways_out(kind, unpacked))


def _ways_out(kind: str, unpacked: Unpacked) -> tuple[str, ...]:
    if unpacked.is_loop:
        return {"int": (f"range({unpacked.source})",), "tensor": ("a tensor with at least one axis",)}.get(
            kind, ("a list, a DataLoader, or a class with __iter__",)
        )
    if kind == "NoneType":
        return ("a `return` in every branch of what was called",)
    return (f"one name on the left, and not `{unpacked.targets}`",)
