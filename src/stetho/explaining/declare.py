"""How an explanation is declared: a name, what the message looks like, and a function of the match and the scene."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from stetho.explaining.scene import Explanation, Scene

Explain = Callable[[re.Match[str], Scene], Explanation | None]

SIZES = r"(\[[\d, ]*\])"
"""A shape in a message, as [2, 3]."""

BRACED = r"\(torch\.Size\((\[[\d, ]*\])\)\)"
"""A shape in a message, as (torch.Size([2, 3]))."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One explanation; its function gives None where the message only looks alike."""

    name: str
    patterns: tuple[re.Pattern[str], ...]
    function: Explain
    example: str
    """The message that it is about."""

    def explain(self, scene: Scene) -> Explanation | None:
        """The error in words, when this is the explanation for it."""
        match = next((found for each in self.patterns if (found := each.search(scene.message))), None)
        return self.function(match, scene) if match is not None else None


def explains(name: str, *patterns: str) -> Callable[[Explain], Unit]:
    r"""Declare an explanation of messages that hold one of these patterns; registers nothing.

    >>> @explains("demo", r"size (\d+)")
    ... def demo(match, scene):
    ...     '''`size 3`.'''
    ...     return Explanation(f"it is {match[1]}")
    >>> demo.explain(Scene("RuntimeError", "a size 3 is wrong")).title
    'it is 3'
    """

    def declared(function: Explain) -> Unit:
        return Unit(name, tuple(map(re.compile, patterns)), function, (function.__doc__ or "").strip())

    return declared
