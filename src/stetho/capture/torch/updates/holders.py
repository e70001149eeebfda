"""Which optimizer holds a parameter, or held it as long as that optimizer lived; and which ones are made anew."""

import weakref

from torch import Tensor
from torch.optim import Optimizer

Place = tuple[int, int]
"""The number of an optimizer, and of the group in it."""

SHORT_LIFE = 4
"""An optimizer that is replaced within so many steps had no time to be one of its own; several may take turns."""


class Holders:
    """Remembers parameters by their identity, and keeps none of them alive.

    >>> import torch
    >>> holders, weight = Holders(), torch.nn.Parameter(torch.ones(2))
    >>> optimizer = torch.optim.SGD([weight], lr=0.1)
    >>> holders.add(0, optimizer), holders.add(1, optimizer), holders.places()[id(weight)]
    (True, False, (1, 0))
    """

    def __init__(self) -> None:
        self._entries: dict[int, tuple[weakref.ref[Tensor], Place]] = {}
        self._made: dict[int, tuple[str, int]] = {}
        self._remade: dict[int, int] = {}

    def add(self, number: int, optimizer: Optimizer) -> bool:
        """Note what an optimizer holds; says whether nobody has held some of it before."""
        is_news = False
        for place, group in enumerate(optimizer.param_groups):
            for parameter in group["params"]:
                is_news = is_news or self._number(parameter) is None
                self._entries[id(parameter)] = (weakref.ref(parameter), (number, place))
        return is_news

    def number(self, optimizer: Optimizer, line: str, step: int, free: int) -> int:
        """The number of an optimizer: that of the one before it, if that is made anew after few steps, or `free`."""
        numbers = {self._number(parameter) for group in optimizer.param_groups for parameter in group["params"]}
        known = numbers.pop() if len(numbers) == 1 else None
        number = free
        if known in self._made:
            made_at, made_in = self._made[known]
            if made_at == line and step - made_in <= SHORT_LIFE:
                number = known
                self._remade[number] = self.times_remade(number) + 1
        self._made[number] = (line, step)
        return number

    def times_remade(self, number: int) -> int:
        """How often an optimizer was made anew."""
        return self._remade.get(number, 0)

    def places(self) -> dict[int, Place]:
        """Where each parameter that is still there is held, by its id."""
        self._entries = {key: entry for key, entry in self._entries.items() if entry[0]() is not None}
        return {key: place for key, (_, place) in self._entries.items()}

    def _number(self, parameter: Tensor) -> int | None:
        reference, (number, _) = self._entries.get(id(parameter), (None, (0, 0)))
        return number if reference is not None and reference() is parameter else None
