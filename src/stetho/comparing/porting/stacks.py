"""Weights of several like layers that the other model holds as one tensor: experts, one above the other."""

import re
from collections.abc import Mapping, Sequence

from stetho.comparing.porting.recipe import Recipe
from stetho.comparing.porting.usage import Used


def stacked(ours: Sequence[Used], theirs: Sequence[Used], taken: Mapping[str, Recipe]) -> dict[str, Recipe]:
    """Recipes of weights without a partner that are a stack of the first model's, or one layer of such a stack."""
    used = {source for recipe in taken.values() for source in recipe.sources}
    ours = [each for each in ours if each.name not in used]
    theirs = [each for each in theirs if each.name not in taken]
    found: dict[str, Recipe] = {}
    for whole in theirs:
        for layers in _alike(ours):
            turned = _is_stack(whole, layers)
            if whole.name not in found and turned is not None:
                found[whole.name] = Recipe(tuple(each.name for each in layers), whole.value.shape, turned)
                ours = [each for each in ours if each not in layers]
    for whole in ours:
        for layers in _alike([each for each in theirs if each.name not in found]):
            turned = _is_stack(whole, layers)
            if turned is not None:
                found |= {
                    each.name: Recipe((whole.name,), each.value.shape, part=(at, len(layers)), is_turned_back=turned)
                    for at, each in enumerate(layers)
                }
                break
    return found


def _alike(weights: Sequence[Used]) -> list[list[Used]]:
    """Weights whose names differ in one number alone, in the order of these numbers.

    >>> import numpy as np
    >>> names = ("e.0.w", "e.1.w", "e.0.b", "head.w")
    >>> [[each.name for each in group] for group in _alike([Used(name, np.zeros(2)) for name in names])]
    [['e.0.w', 'e.1.w']]
    """
    groups: dict[tuple[str, str], list[tuple[int, Used]]] = {}
    for each in weights:
        for number in re.finditer(r"(?<![^.])\d+(?![^.])", each.name):
            key = each.name[: number.start()], each.name[number.end() :]
            groups.setdefault(key, []).append((int(number.group()), each))
    return [
        [each for _, each in sorted(group, key=lambda pair: pair[0])] for group in groups.values() if len(group) > 1
    ]


def _is_stack(whole: Used, layers: Sequence[Used]) -> bool | None:
    """Whether a tensor holds such layers, each as it is (False) or transposed (True); None if it does not.

    Of layers that are square it does not show, and values have to tell.
    """
    shape = whole.value.shape
    if len(shape) < 2 or shape[0] != len(layers):
        return None
    if all(each.value.shape == shape[1:] for each in layers):
        return False
    return True if len(shape) == 3 and all(each.value.shape == shape[:0:-1] for each in layers) else None
