"""Which layer and which parameter of one run stands for which of the other: by name, else by their order and kind."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from stetho.comparing.runs.recorded import Recorded

Name = tuple[int, str]
"""Number of the model, name in it."""


@dataclass(frozen=True, slots=True)
class Matching:
    """For the names of the other run the names of this one; and what is in one run alone."""

    layers: Mapping[Name, Name]
    parameters: Mapping[Name, Name]
    only_one: Sequence[Name]
    only_other: Sequence[Name]

    def name(self, role: str, name: Name) -> Name | None:
        """What a series of the other run is called in this one; outputs of one layer keep their own path."""
        model, plain = name
        layer, bracket, path = plain.partition("[")
        found = (self.layers if role in ("act", "act_grad") else self.parameters).get((model, layer))
        return None if found is None else (found[0], found[1] + bracket + path)


def match(one: Recorded, other: Recorded) -> Matching:
    """Match two runs, of the same code or of different code."""
    layers = _matched(_layer_kinds(one), _layer_kinds(other))
    parameters = _matched(_parameter_kinds(one), _parameter_kinds(other))
    taken = set(layers.values())
    return Matching(
        layers,
        parameters,
        [name for name in one.layers if name not in taken],
        [name for name in other.layers if name not in layers],
    )


def _layer_kinds(side: Recorded) -> dict[Name, Hashable]:
    """The layers in the order in which they were first called, with what makes two of them alike."""
    called = dict.fromkeys((one.model, one.name.partition("[")[0]) for one in side.series if one.role == "act")
    order = [name for name in called if name in side.layers] + [name for name in side.layers if name not in called]
    return {name: _kind(side.layers[name]) for name in order}


def _kind(layer: Mapping[str, Any]) -> Hashable:
    output = str(layer.get("output"))
    # Without dtype and batch size, which may well differ between two runs.
    return layer.get("class"), layer.get("parameters"), output.partition(",")[2]


def _parameter_kinds(side: Recorded) -> dict[Name, Hashable]:
    return {name: (tuple(facts["shape"]), name[1].rpartition(".")[2]) for name, facts in side.parameters.items()}


def _matched(one: Mapping[Name, Hashable], other: Mapping[Name, Hashable]) -> dict[Name, Name]:
    if one == other or {name: kind for name, kind in other.items() if one.get(name) == kind} == other:
        return {name: name for name in other if name in one}
    mine, theirs = list(one), list(other)
    found: dict[Name, Name] = {}
    aligned = SequenceMatcher(None, [one[n] for n in mine], [other[n] for n in theirs], autojunk=False)
    for block in aligned.get_matching_blocks():
        for step in range(block.size):
            found[theirs[block.b + step]] = mine[block.a + step]
    taken = set(found.values())
    # A layer that was exchanged for one of another kind keeps its name.
    found |= {name: name for name in theirs if name not in found and name in one and name not in taken}
    return {name: found[name] for name in theirs if name in found}
