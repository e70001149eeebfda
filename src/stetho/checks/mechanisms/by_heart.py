"""Answers in training that may be right by heart alone, where nobody saw how new data are answered."""

from stetho.checks.evidence.labels import labelled
from stetho.checks.evidence.outcome import FEWEST_ANSWERS
from stetho.checks.evidence.rule import rule_of
from stetho.checks.window import Window


def learnt_by_heart_alone(window: Window) -> str | None:
    """What a simple rule makes of samples that it has not seen, in words, if it is no more than chance gives.

    None where evaluated answers or losses are known: they tell what was learnt.
    """
    rule = rule_of(window)
    is_told = labelled(window, "eval")["counted"].sum() >= FEWEST_ANSWERS or window.metric("loss", "eval") is not None
    if rule is None or not rule.classes or is_told or rule.beyond_chance(rule.held):
        return None
    return f"a rule made of one half of {rule.samples} samples is right for {rule.held:.1%} of the others, as by chance"
