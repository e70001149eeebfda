"""Evaluated samples that follow another rule than training samples, or none."""

from stetho.checks.evidence.asked import asks_for_two_kinds
from stetho.checks.evidence.chance import share_noise
from stetho.checks.evidence.inputs import data_line
from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.rule import LEAST_SAMPLES, rule_of
from stetho.checks.window import Window
from stetho.findings.finding import Finding

MOST_FREQUENT = 0.8
LEAST_CORRELATION = 0.4
MOST_LEFT = 0.8
"""Where less of the error of a guess is left, the model answers evaluated samples well enough."""


def another_rule(window: Window, learnt: float, slack: float) -> Finding | None:
    """A simple rule that holds for all training samples and for no evaluated one: the model need not be asked."""
    rule = rule_of(window)
    if rule is None or rule.evaluated_samples < LEAST_SAMPLES:
        return None
    if max(rule.chance, rule.evaluated_chance) > MOST_FREQUENT:
        return None
    noise = share_noise(0.5, min(rule.samples, rule.evaluated_samples)) if rule.classes else 0.0
    is_learnt = rule.held > rule.chance + (learnt + noise if rule.classes else LEAST_CORRELATION)
    is_lost = rule.evaluated < rule.held - learnt - noise
    is_guess = rule.evaluated <= (rule.evaluated_chance + slack if rule.classes else 0.2 * rule.held)
    left = error_left(window)
    if not (is_learnt and is_lost and is_guess) or (left is not None and left < MOST_LEFT):
        return None
    if asks_for_two_kinds(window):
        return None
    said = "{:.1%} of its answers are right" if rule.classes else "its correlation with the target is {:.2f}"
    return window.finding(
        f"a simple rule made of training samples holds for other training samples ({said.format(rule.held)}), and not "
        f"for evaluated ones ({said.format(rule.evaluated)})",
        where=window.at(window.line("reordered") or window.line("evaluation data") or data_line(window, phase="eval")),
        confidence=0.85,
        training_samples=rule.held,
        evaluated_samples=rule.evaluated,
    )
