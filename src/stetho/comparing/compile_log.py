"""What a compiler said while a program ran: where its graphs break, and what it compiles again, with the reasons."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LOGGED = {"TORCH_LOGS": "graph_breaks,recompiles"}
"""The environment in which torch writes this down on the standard error."""

_BREAK = re.compile(r"\[__graph_breaks\] Graph break in user code at (?P<line>\S+:\d+)")
_RECOMPILE = re.compile(r"\[__recompiles\] Recompiling function \S+ in (?P<line>\S+:\d+)")
_GUARD = re.compile(r"\[__recompiles\]\s+- \d+/\d+: (?P<reason>.*)")
_EXPLANATION = re.compile(r"\[__graph_breaks\]\s+Explanation: (?P<reason>.*)")
_PLACE_IN_GUARD = re.compile(r"\s*#.*$")


@dataclass(frozen=True, slots=True)
class CompileEvent:
    """A break in a graph, or a function that was compiled once more.

    >>> CompileEvent("graph break", "train.py:12", "calls print", 2).count
    2
    """

    what: str
    line: str
    reason: str
    count: int = 1


def compile_events(log: str) -> list[CompileEvent]:
    """The events of a log, each kind at each line once, in the order in which they first came."""
    found: dict[tuple[str, str], tuple[str, int]] = {}
    for what, line, reason in _events(log):
        known, count = found.get((what, line), ("", 0))
        found[what, line] = (known or reason, count + 1)
    return [CompileEvent(what, line, reason, count) for (what, line), (reason, count) in found.items()]


def _events(log: str) -> Iterator[tuple[str, str, str]]:
    lines = log.splitlines()
    for number, text in enumerate(lines):
        for what, begins, reason in (("graph break", _BREAK, _EXPLANATION), ("recompiled", _RECOMPILE, _GUARD)):
            if begun := begins.search(text):
                yield what, begun["line"], _reason(lines[number + 1 :], reason, begins)


def _reason(lines: list[str], wanted: re.Pattern[str], begins: re.Pattern[str]) -> str:
    """The first reason before the next event of the kind."""
    for text in lines:
        if begins.search(text):
            break
        if found := wanted.search(text):
            return _PLACE_IN_GUARD.sub("", found["reason"]).strip()
    return "no reason was given"
