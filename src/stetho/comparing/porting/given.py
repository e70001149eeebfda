"""Layers that somebody has matched, in a file: their weights are carried over among themselves."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from stetho.comparing.porting.alignment import align
from stetho.comparing.porting.recipe import Recipe
from stetho.comparing.porting.usage import Used


@dataclass(frozen=True)
class Group:
    """The weights of two layers that were matched."""

    pair: tuple[str, str]
    ours: Set[str]
    theirs: Set[str]

    def is_kept(self, recipes: Mapping[str, Recipe]) -> bool:
        """Whether every weight of the second layer is made of those of the first."""
        return all(self.ours >= set(recipes[name].sources) for name in self.theirs if name in recipes)


def groups_of(given: Sequence[tuple[str, str]], ours: Sequence[Used], theirs: Sequence[Used]) -> list[Group]:
    """The weights of layers that were matched, those of inner layers first.

    Only where both hold as many numbers: a layer that gives what another one gives need not have the same weights.
    """
    found: list[Group] = []
    for pair in sorted(given, key=lambda pair: -pair[1].count(".")):
        mine, yours = _inside(pair[0], ours), _inside(pair[1], theirs)
        sizes = [sum(each.value.size for each in side) for side in (mine, yours)]
        is_free = all(group.ours.isdisjoint(_names(mine)) for group in found)
        if yours and sizes[0] == sizes[1] and is_free:
            found.append(Group(pair, _names(mine), _names(yours)))
    return found


def align_in(groups: Sequence[Group], ours: Sequence[Used], theirs: Sequence[Used]) -> dict[str, Recipe]:
    """How each weight of the second model is made: within its group, and of the rest if it is in none."""
    found: dict[str, Recipe] = {}
    for group in groups:
        found |= align(
            [each for each in ours if each.name in group.ours], [each for each in theirs if each.name in group.theirs]
        )
        ours = [each for each in ours if each.name not in group.ours]
        theirs = [each for each in theirs if each.name not in group.theirs]
    return found | align(ours, theirs)


def _inside(layer: str, weights: Sequence[Used]) -> list[Used]:
    """The weights that a layer holds; its second call has a number, and the same weights.

    >>> import numpy as np
    >>> weights = [Used(name, np.zeros(1)) for name in ("blocks.1.fc.weight", "blocks.10.fc.weight")]
    >>> [each.name for each in _inside("blocks.1#2", weights)]
    ['blocks.1.fc.weight']
    """
    return [each for each in weights if layer and each.name.startswith(f"{layer.partition('#')[0]}.")]


def _names(weights: Sequence[Used]) -> set[str]:
    return {each.name for each in weights}
