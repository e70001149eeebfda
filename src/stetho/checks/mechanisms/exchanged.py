"""Classes that are told from all others and not from each other, where samples are mirrored or turned at random."""

import math
from itertools import combinations

import numpy as np

from stetho.checks.evidence.outcome import ends_well
from stetho.checks.evidence.redrawn import are_redrawn_or_new
from stetho.checks.evidence.rule import Rule, rule_of
from stetho.checks.run.series import Array
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_STEPS = 100
LEAST_ANSWERS = 40
GUESSED = 0.58
"""Between two classes, no more answers than this are right; half of them would be for a guess."""
BY_HEART = 0.8
"""Samples that are learnt by heart are told apart in training, though not all of them."""
STILL = 0.85
KNOWN = 0.85
"""So many answers name the right class or the one it is taken for."""

LEAST_EVALUATED = 60
LEAST_TOLD = 0.4
WAYS = ("left to right", "upside down", "in both ways")


def exchanged(window: Window) -> Finding | None:
    """Two classes that are mirror images of each other: turned at random, a sample of one is a sample of the other."""
    line = window.probes.get("turned", {}).get("line")
    if line and (opposite := _opposite(window, str(line))) is not None:
        return opposite
    trained, evaluated = (_table(answers) for answers in window.probed("answers", "train", "eval"))
    table = evaluated if len(evaluated) else trained
    if not line or len(table) < 3 or window.count < LEAST_STEPS:
        return None
    pairs = _not_told_apart(table, trained)
    if not pairs or _named(table, pairs) < KNOWN or not are_redrawn_or_new(window) or _still_learns(window):
        return None
    one, other = pairs[0]
    right = _balanced(table, pairs[0])
    return window.finding(
        f"classes {one} and {other} are told from all others and not from each other: {right:.0%} of these answers are "
        "right; samples are mirrored or turned at random, which makes one class of the other",
        where=window.at(str(line)),
        confidence=0.85,
        try_next="Leave out the flip or rotation that changes what the label says, or change the label with it.",
        right_between_them=right,
        right_among_all=_named(table, pairs),
    )


def _opposite(window: Window, line: str) -> Finding | None:
    """Evaluated samples whose labels a rule tells, and tells wrong when they are mirrored; of training samples none."""
    rule = rule_of(window)
    if rule is None or not len(rule.mirrored) or rule.evaluated_samples < LEAST_EVALUATED or ends_well(window):
        return None
    way = int(rule.mirrored.argmin())
    mirrored = float(rule.mirrored[way])
    straight, turned, trained = (_gained(rule, each) for each in (rule.evaluated_held, mirrored, rule.trained))
    # Two classes, or numbers of two signs, are turned round. Of more classes all must become one another.
    most_turned, most_trained = (-0.5, 0.35) if rule.classes <= 2 else (0.6, 0.2)
    if straight < LEAST_TOLD or turned > most_turned * straight or trained > most_trained * straight:
        return None
    if rule.classes > 2 and not are_redrawn_or_new(window):
        return None
    told, left, nothing = (
        f"{each:.0%} right" if rule.classes else f"correlation {each:.2f}"
        for each in (rule.evaluated_held, mirrored, rule.trained)
    )
    return window.finding(
        f"mirrored {WAYS[way]}, samples mean something else: a simple rule tells evaluated ones ({told}), but not when "
        f"they are mirrored ({left}), nor those of the training ({nothing}), which are mirrored or turned at random",
        where=window.at(line),
        confidence=0.9,
        try_next="Leave out the flip or rotation that changes what the label says, or change the label with it.",
        told=rule.evaluated_held,
        told_when_mirrored=mirrored,
        told_in_training=rule.trained,
    )


def _gained(rule: Rule, reached: float) -> float:
    """From -1 or so, where answers are wrong throughout, over 0 for a guess, to 1."""
    return (reached - 1 / rule.classes) / (1 - 1 / rule.classes) if rule.classes else reached


def _still_learns(window: Window) -> bool:
    """Whether the loss fell in the last third: what is not told apart yet may be so later."""
    losses = window.loss_series().finite.values
    part = max(len(losses) // 6, 1)
    return bool(np.median(losses[-part:]) < STILL * np.median(losses[-2 * part : -part])) if len(losses) > 1 else True


def _table(answers: Array) -> Array:
    classes = math.isqrt(len(answers))
    return answers[: classes**2].reshape(classes, classes)


def _not_told_apart(table: Array, trained: Array) -> list[tuple[int, int]]:
    """Pairs that are guessed between in one of two tables, and not told apart in the other either.

    What the training leaves open falls as it likes in an evaluation, which may look like more than a guess there.
    """
    if trained.shape != table.shape:
        return []
    found = dict.fromkeys((*_pairs(table), *_pairs(trained)))
    return [pair for pair in found if max(_balanced(table, pair), _balanced(trained, pair)) < BY_HEART]


def _pairs(table: Array) -> list[tuple[int, int]]:
    """Pairs of classes that are guessed between, and told from all others."""
    pairs = [pair for pair in combinations(range(len(table)), 2) if _between(table, pair).sum(1).min() >= LEAST_ANSWERS]
    alone = [pair for pair in pairs if _between(table, pair).sum() > KNOWN * table[list(pair)].sum()]
    return [pair for pair in alone if _balanced(table, pair) < GUESSED]


def _between(table: Array, pair: tuple[int, int]) -> Array:
    return np.asarray(table[np.ix_(pair, pair)])


def _balanced(table: Array, pair: tuple[int, int]) -> float:
    """The share of right answers between two classes, both counted alike."""
    part = _between(table, pair)
    return float((part.diagonal() / np.maximum(part.sum(1), 1e-12)).mean())


def _named(table: Array, pairs: list[tuple[int, int]]) -> float:
    """The share of the answers that name the right class, or the other one of its pair."""
    right = table.trace() + sum(table[one, other] + table[other, one] for one, other in pairs)
    return float(right / max(table.sum(), 1e-12))
