"""How well it went: precision, recall and top-1 over all and for each check."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from zoo.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Share:
    """Some of so many."""

    hits: int
    total: int

    @property
    def value(self) -> float | None:
        return self.hits / self.total if self.total else None

    def at_least(self, wanted: float) -> bool:
        """Whether it is as much as wanted; nothing out of nothing is."""
        return self.hits >= wanted * self.total

    def __str__(self) -> str:
        return f"{self.hits / self.total:.0%} ({self.hits}/{self.total})" if self.total else "–"


@dataclass(frozen=True, slots=True)
class Score:
    """Precision is over findings, everything else over programs."""

    precision: Share
    recall: Share
    first: Share
    line: Share
    false_alarms: Share


def share(values: Iterable[bool]) -> Share:
    """How many are true."""
    known = list(values)
    return Share(sum(known), len(known))


def score(outcomes: Sequence[Outcome]) -> Score:
    """Over all programs."""
    faulty = [each for each in outcomes if each.program.fault is not None]
    healthy = [each for each in outcomes if each.program.fault is None]
    return Score(
        precision=share(each.program.is_right(alarm.check) for each in outcomes for alarm in each.roots),
        recall=share(each.is_found for each in faulty),
        first=share(each.is_first for each in faulty),
        line=share(each.is_at_line for each in faulty if each.is_at_line is not None),
        false_alarms=share(bool(each.roots) for each in healthy),
    )


def score_of_check(check: str, outcomes: Sequence[Outcome]) -> Score:
    """Of one check: of its findings how many were true, of the faults planted for it how many it named itself."""
    planted = [each for each in outcomes if each.program.fault == check]
    said = [each for each in outcomes if any(alarm.check == check for alarm in each.roots)]
    return Score(
        precision=share(each.program.is_right(check) for each in said),
        recall=share(any(alarm.check == check for alarm in each.alarms) for each in planted),
        first=share(each.is_first for each in planted),
        line=share(each.is_at_line for each in planted if each.is_at_line is not None),
        false_alarms=share(
            any(alarm.check == check for alarm in each.roots) for each in outcomes if each.program.fault is None
        ),
    )
