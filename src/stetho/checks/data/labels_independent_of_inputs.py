"""labels-independent-of-inputs: nothing in the inputs tells the labels."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.chance import largest_chi_square, most_together
from stetho.checks.evidence.compared import beginning, ending
from stetho.checks.evidence.inputs import content_line
from stetho.checks.evidence.rule import Rule, rule_of
from stetho.checks.evidence.searching import updates_made
from stetho.checks.mechanisms.backwards import left_backwards
from stetho.checks.mechanisms.by_heart import learnt_by_heart_alone
from stetho.checks.mechanisms.guessing import at_a_guess
from stetho.checks.mechanisms.pointed import pointed_elsewhere
from stetho.checks.mechanisms.shuffled_apart import shuffled_apart
from stetho.checks.mechanisms.turned import advice_on_turning
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_OF_AN_ID = 4
RISK, RISK_BESIDE_A_RULE, RISK_BESIDE_THE_TEXT = 0.1, 0.005, 1e-4
"""How often chance may go beyond the limit: a rule tried on new samples is a second witness, the text is a third."""


@check(
    severity="warning",
    needs_end=True,
    explains=("loss-plateau", "overfitting", "metric-not-following", "too-small-model", "collapsed-output",
              "stopped-early", "class-imbalance", "too-few-examples"),
)  # fmt: skip
def labels_independent_of_inputs(
    window: Window, *, samples: int = 150, updates: int = 100, slack: float = 0.03
) -> Finding | None:
    """Labels that do not follow from the inputs.

    ## What it finds
    Over at least `samples` recorded samples, after `updates` steps and more, no feature of the input differs between
    labels (or goes with the target) more than chance explains; and the answers for data that are new to the model are
    right no more often than a guess, within `slack` (without it, if all features together differ more than by chance).
    A simple rule made of one half of these samples, also of ids and of pairs of them, does not hold for the other half;
    where it could be tried, a single feature may go further beyond chance, if all together do not. Answers for new data
    need not be known if the program reorders one of two arrays. Also where labels were not seen: it shuffles two arrays
    that go together each by itself, and the loss stands still; or it sums up returns from the last reward to the first,
    and multiplies choices with them in that order; or targets of compared samples name the same few of them.

    ## Why it matters
    Inputs and labels were shuffled apart, joined by the wrong key, or read from different rows: nothing can be learnt.

    ## What to try
    Print samples beside their labels right before the model; check every place that sorts, filters or shuffles.

    ## When it is wrong
    Labels that depend only on how features work together (parity, say) look the same to a test of single features,
    until a model learns them. Where one class has more than 80 % of the labels, nothing is said.
    """
    probe, rule = window.probes.get("dependence"), rule_of(window)
    if (told := pointed_elsewhere(window) or _written_apart(window, rule, updates)) is not None:
        return told
    is_table = probe is not None and float(probe.get("samples", 0)) >= samples
    if not is_table and (rule is None or not rule.groups or rule.samples < samples):
        raise Skip(f"fewer than {samples} samples with labels were looked at")
    if updates_made(window) < updates:
        raise Skip(f"fewer than {updates} steps")
    if rule is not None and rule.beyond_chance(rule.held):
        return None
    if probe is None or not is_table:
        return _of_ids(window, rule) if rule is not None else None
    classes, features = int(probe.get("classes", 0)), int(probe.get("features", 1))
    is_seen = float(probe.get("mean_over_chance", 0.0)) > most_together(features, classes)
    is_tried, is_written = rule is not None and rule.samples >= samples, window.line("reordered") is not None
    together = is_seen and not (is_tried and is_written)  # Pixels side by side are alike, and are so by luck as well.
    risk = RISK if together or not is_tried else RISK_BESIDE_THE_TEXT if is_written else RISK_BESIDE_A_RULE
    limit = largest_chi_square(max(classes - 1, 1), features, risk=risk)
    best = float(probe.get("best_over_chance", np.inf))
    found = at_a_guess(window, classes, 0.0 if together else slack)
    if found is None and is_tried and is_written and not is_seen:
        found = learnt_by_heart_alone(window)
    if found is None or best > limit:
        return None
    return window.finding(
        f"no input feature tells the labels apart: the best of {features} explains {best:.1f} times what chance does "
        f"(limit {limit:.1f}), and {found}",
        where=window.at(window.line("reordered") or window.line("target drawn") or content_line(window)),
        confidence=0.75,
        try_next=advice_on_turning(window),
        best_over_chance=best,
        limit=limit,
        samples=float(probe.get("samples", 0)),
    )


def _written_apart(window: Window, rule: Rule | None, updates: int) -> Finding | None:
    """What the program's text says of rows that do not belong together, unless a rule shows that they do."""
    turned = left_backwards(window)
    if turned is not None or updates_made(window) < updates or (rule is not None and rule.beyond_chance(rule.held)):
        return turned
    return shuffled_apart(window)


def _of_ids(window: Window, rule: Rule) -> Finding | None:
    """Inputs that are ids, as of users and items: neither one of them nor two together tell the target."""
    found = at_a_guess(window, rule.classes, 0.03)
    is_repeated = all(rule.samples >= LEAST_OF_AN_ID * groups for groups in rule.groups)
    if found is None or not is_repeated or not _learns_by_heart(window):
        return None
    reached = f"{rule.held:.1%} of its answers are right" if rule.classes else f"its correlation is {rule.held:.2f}"
    return window.finding(
        f"nothing that {rule.samples} samples tell of their {' and '.join(map(str, rule.groups))} ids holds for others "
        f"of them: {reached}; and {found}",
        where=window.at(window.line("reordered") or content_line(window)),
        confidence=0.75,
        held=rule.held,
        samples=float(rule.samples),
    )


def _learns_by_heart(window: Window) -> bool:
    """Whether the loss falls in training: what is learnt there is the samples themselves."""
    losses = window.loss_series().finite.values
    return bool(ending(losses) < 0.95 * beginning(losses))
