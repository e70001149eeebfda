"""Whether two processes trained the same: reads their fingerprints and finds the first difference."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Mark:
    """One line of a fingerprint: what a process had computed after a step.

    >>> Mark("step", 1, "ab", ("0000803f",), {"torch": "cd"}, 0.1).place
    'step 1'
    """

    event: str
    step: int
    parameters: str
    losses: tuple[str, ...]
    random: Mapping[str, str | int]
    seconds: float

    @property
    def place(self) -> str:
        """Where in the program this was, for a message."""
        if self.event == "end":
            return "the end of the program"
        return f"step {self.step}" if self.event == "step" else f"a backward pass before step {self.step + 1}"


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two fingerprints part for the first time, and in what.

    >>> str(Difference("step 3", "the parameters", "ab12", "cd34"))
    'at step 3: the parameters (ab12 and cd34)'
    """

    place: str
    what: str
    one: str
    other: str

    def __str__(self) -> str:
        return f"at {self.place}: {self.what} ({self.one} and {self.other})"


def read_fingerprint(file: Path) -> list[Mark]:
    """The marks that a process left; none when it never imported torch."""
    if not file.exists():
        return []
    lines = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    return [Mark(**{**line, "losses": tuple(line["losses"])}) for line in lines]


def steps_of(marks: Sequence[Mark]) -> list[Mark]:
    """The marks of optimizer steps, or of backward passes in a program without an optimizer."""
    return [mark for mark in marks if mark.event == "step"] or [mark for mark in marks if mark.event == "backward"]


def unseeded(one: Sequence[Mark], other: Sequence[Mark]) -> set[str]:
    """The random generators whose state differs between two runs of the same bare program: nobody seeded them."""
    pairs = zip(one, other, strict=False)
    return {
        name
        for mine, theirs in pairs
        for name in mine.random
        if name in theirs.random and mine.random[name] != theirs.random[name] and not name.endswith("position")
    }


def first_difference(one: Sequence[Mark], other: Sequence[Mark], ignored: Collection[str] = ()) -> Difference | None:
    """The first difference in losses, parameters or random states; `ignored` names random generators to leave out.

    >>> mark = Mark("step", 1, "ab", (), {}, 0.1)
    >>> first_difference([mark], [mark]) is None
    True
    """
    for mine, theirs in zip_longest(one, other):
        if mine is None or theirs is None:
            counts = [f"{len(steps_of(marks))} steps" for marks in (one, other)]
            return Difference((mine or theirs).place, "one goes on, the other is over", *counts)
        difference = _difference(mine, theirs, ignored)
        if difference:
            return difference
    return None


def _difference(mine: Mark, theirs: Mark, ignored: Collection[str]) -> Difference | None:
    if mine.place != theirs.place:
        return Difference(mine.place, "the order of backward passes and steps", mine.place, theirs.place)
    if mine.losses != theirs.losses:
        return Difference(mine.place, "the loss", " ".join(mine.losses), " ".join(theirs.losses))
    if mine.parameters != theirs.parameters:
        return Difference(mine.place, "the parameters", mine.parameters[:12], theirs.parameters[:12])
    for name in mine.random.keys() & theirs.random.keys() - set(ignored):
        if mine.random[name] != theirs.random[name]:
            states = (str(mine.random[name])[:12], str(theirs.random[name])[:12])
            return Difference(mine.place, f"the random state of {name.removesuffix(' position')}", *states)
    return None
