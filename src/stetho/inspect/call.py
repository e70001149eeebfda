"""How a model is called: its arguments, or a function of the user's own that calls it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a model.

    >>> Call((3,)).of(lambda x: x + 1)
    4
    >>> Call(function=lambda model: model(1) + model(2)).of(lambda x: 10 * x)
    30
    """

    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    function: Callable[[Any], Any] | None = None
    line: str | None = field(default=None, repr=False, compare=False)
    """Where the program makes it, if it is a program's."""

    def of(self, model: Any) -> Any:
        """Make the call."""
        return self.function(model) if self.function is not None else model(*self.args, **self.kwargs)
