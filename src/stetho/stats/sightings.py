"""Tensors that were seen, one after another, by the plain-torch kernel."""

from collections.abc import Callable, Iterator
from typing import Any

from torch import Tensor
from torch.nn import Parameter

from stetho.stats.summary import Summary
from stetho.stats.torch_kernel import fetch, measure

DEEPEST = 3

Fact = tuple[str, tuple[int, ...], Summary] | str
"""Type, shape and summary of a tensor, or what is said of one that cannot be read."""


class Sightings:
    """Every tensor that is seen gets a number, under which its facts are found again.

    `describe` is called with tensors that cannot be read. The native one measures memory again only when it was
    written.

    >>> import torch
    >>> sightings = Sightings(str)
    >>> sightings.see((torch.zeros(2), 1.0), {"mask": torch.ones(1, 3)}), len(sightings), sightings.all_finite
    (0, 2, True)
    >>> sightings.fact(1)[:2]
    ('float32', (1, 3))
    """

    def __init__(self, describe: Callable[[Tensor], str], /) -> None:
        self._describe = describe
        self._facts: list[Fact] = []
        self.all_finite = True
        """Whether everything that the last call saw is known to be finite."""

    def __len__(self) -> int:
        return len(self._facts)

    def see(self, *values: Any) -> int:
        """Measure every tensor in the values; the number of the first, those of the others follow."""
        begin = len(self._facts)
        self.all_finite = True
        for tensor in _tensors(values, 0):
            self._facts.append(self._fact(tensor))
        return begin

    see_new = see

    def written(self, value: Any, /) -> None:
        """What was known of the memory of these tensors no longer holds; nothing is."""

    def fact(self, number: int, /) -> Fact:
        """Type, shape and summary of a tensor that was seen."""
        return self._facts[number]

    def clear(self) -> None:
        """Forget everything; numbers begin anew."""
        self._facts = []

    def _fact(self, tensor: Tensor) -> Fact:
        if type(tensor) not in (Tensor, Parameter) or tensor.is_meta:
            self.all_finite = False
            return self._describe(tensor)
        try:
            measured = measure(tensor)
            summary = measured if isinstance(measured, Summary) else fetch([measured])[0]
        except Exception:  # quantised, nested, or of a device that has failed
            self.all_finite = False
            return self._describe(tensor)
        self.all_finite &= summary.finite == summary.elements
        return str(tensor.dtype).removeprefix("torch."), tuple(tensor.shape), summary


def _tensors(value: Any, depth: int) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif depth <= DEEPEST and isinstance(value, (tuple, list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _tensors(item, depth + 1)
