"""What one step of a profile is: from one update of the slowest optimizer to the next.

A GAN that updates its discriminator five times for each update of its generator repeats itself with the generator.
"""

PATIENCE = 50
"""After so many updates of others, an optimizer is not waited for any longer."""

BACKWARDS_WITHOUT_UPDATE = 16
"""A program that never calls an optimizer updates by hand: its steps end with a backward pass."""


class Units:
    """Tells which updates end a step.

    >>> units = Units(warmup=1)
    >>> units.expected = 2
    >>> [units.updated(name) for name in "ddgddgddg"]
    [True, True, True, True, True, True, False, False, True]
    """

    def __init__(self, warmup: int) -> None:
        self._warmup = warmup
        self.expected = 0
        """How many optimizers the program has made."""
        self._seen: dict[object, int] = {}
        self._last: dict[object, int] = {}
        self._updates = 0
        self._backwards = 0
        self._anchor: object = None

    @property
    def is_by_hand(self) -> bool:
        """Whether steps end with backward passes, since no optimizer is there."""
        return self._backwards >= BACKWARDS_WITHOUT_UPDATE and not self._updates

    @property
    def is_settled(self) -> bool:
        """Whether it is known what a step is; before that, every update is called one."""
        return self._anchor is not None or not self._updates

    def updated(self, optimizer: object) -> bool:
        """An optimizer made its update."""
        self._updates += 1
        self._seen[optimizer] = self._seen.get(optimizer, 0) + 1
        self._last[optimizer] = self._updates
        if self._anchor is None:
            if self._is_enough():
                self._anchor = min(self._seen, key=lambda one: (self._seen[one], -self._last[one]))
            return True
        if self._updates - self._last[self._anchor] > PATIENCE:
            self._anchor = optimizer
        return optimizer == self._anchor

    def _is_enough(self) -> bool:
        """Whether every optimizer has shown how often it steps, those that were made and never step aside."""
        is_warm = self._updates > self._warmup * len(self._seen)
        is_complete = len(self._seen) >= self.expected and min(self._seen.values()) > 1
        return is_warm and (is_complete or len(self._seen) == 1 == self.expected or self._updates > PATIENCE)

    def went_back(self) -> bool:
        """A backward pass is over."""
        self._backwards += 1
        return self.is_by_hand
