"""Stacks of a step for flame graphs: as folded lines, and for speedscope."""

import json
from typing import Any, TextIO

from stetho.profiling.records import Profile


def folded(profile: Profile) -> str:
    """One line for each stack and its microseconds a step, as most flame graph tools read them."""
    return "".join(
        f"{';'.join(_plain(part) for part in stack)} {round(seconds * 1e6)}\n"
        for stack, seconds in sorted(profile.stacks)
        if round(seconds * 1e6)
    )


def write_speedscope(profile: Profile, file: TextIO, name: str) -> None:
    """Write a document that speedscope opens."""
    frames: dict[str, int] = {}
    samples, weights = [], []
    for stack, seconds in sorted(profile.stacks):
        samples.append([frames.setdefault(part, len(frames)) for part in stack])
        weights.append(seconds)
    document = {
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "name": name,
        "exporter": "stetho",
        "shared": {"frames": [{"name": part} for part in frames]},
        "profiles": [
            {
                "type": "sampled",
                "name": "a step",
                "unit": "seconds",
                "startValue": 0,
                "endValue": sum(weights),
                "samples": samples,
                "weights": weights,
            }
        ],
    }
    json.dump(document, file)
    file.write("\n")


def tree(profile: Profile) -> dict[str, Any]:
    """The stacks as one tree: name, seconds with everything below, children.

    >>> from stetho.profiling.records import Measure
    >>> stacks = ((("forward", "fc"), 0.2), (("forward",), 0.1))
    >>> root = tree(Profile(1, Measure(), Measure(), {}, stacks=stacks))
    >>> [(child["name"], round(child["seconds"], 3)) for child in root["children"]]
    [('forward', 0.3)]
    """
    root: dict[str, Any] = {"name": "a step", "seconds": 0.0, "children": []}
    for stack, seconds in profile.stacks:
        root["seconds"] += seconds
        node = root
        for part in stack:
            child = next((each for each in node["children"] if each["name"] == part), None)
            if child is None:
                child = {"name": part, "seconds": 0.0, "children": []}
                node["children"].append(child)
            child["seconds"] += seconds
            node = child
    return root


def _plain(part: str) -> str:
    """A frame without the characters that separate frames."""
    return part.replace(";", ",").replace("\n", " ")
