"""Stacks of functions that call each other without end: the same few lines, told once."""

from collections.abc import Iterator, Sequence

LONGEST_ROUND = 12
"""A module takes three or four frames, and two or three of them may call each other."""
LEAST_TIMES = 5
OVERFLOWING = 60
"""The interpreter writes down a hundred frames at the most; of a stack that runs over, most of these are one round."""


def folded(lines: Sequence[str]) -> Iterator[str]:
    """The lines, with those that come again and again said once.

    >>> list(folded(["a", *["f", "g"] * 9, "b"]))
    ['a', 'f', 'g', '  … these 2 lines 8 times more', 'b']
    """
    place = 0
    while place < len(lines):
        size, times = _round(lines, place)
        yield from lines[place : place + size]
        if times > 1:
            what = "this line" if size == 1 else f"these {size} lines"
            yield f"  … {what} {times - 1} times more"
        place += size * times


def endless_round(lines: Sequence[str]) -> Sequence[str]:
    """The round of calls that most of a stack is; empty where it is none.

    >>> endless_round(["f", "g"] * 40), endless_round(["f", "g", "h"])
    (['f', 'g'], [])
    """
    for place in range(len(lines)):
        size, times = _round(lines, place)
        if size * times >= OVERFLOWING:
            return lines[place : place + size]
    return []


def _round(lines: Sequence[str], place: int) -> tuple[int, int]:
    """How many lines from a place on are repeated, and how often they are there; one line, once, if none are."""
    for size in range(1, LONGEST_ROUND + 1):
        first, times = lines[place : place + size], 1
        while lines[place + times * size : place + (times + 1) * size] == first:
            times += 1
        if times >= LEAST_TIMES and len(first) == size:
            return size, times
    return 1, 1
