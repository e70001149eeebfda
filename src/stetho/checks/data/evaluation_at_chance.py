"""evaluation-at-chance: what is learnt holds for new training samples and for no evaluated one."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.chance import share_noise
from stetho.checks.evidence.compared import middle
from stetho.checks.evidence.labels import has_several_passes, labelled, majority
from stetho.checks.mechanisms.another_rule import another_rule
from stetho.checks.mechanisms.gathered import in_another_order
from stetho.checks.run.series import Array
from stetho.checks.run.table import Table
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_ANSWERS = 100
MOST_FREQUENT = 0.8


@check(severity="warning", needs_end=True, explains=("overfitting", "metric-not-following"))
def evaluation_at_chance(window: Window, *, learnt: float = 0.15, slack: float = 0.03) -> Finding | None:
    """Evaluated samples follow another rule than new training samples.

    ## What it finds
    Answers for training samples that the model had not seen before are right more often than a guess by `learnt` and
    more, and those for evaluated samples at the end no more often than a guess, within `slack`. Or a simple rule that
    is made of training samples, without the model, holds for others of them and for no evaluated one. Or a program
    gathers its answers and compares them with the right labels in another order.

    ## Why it matters
    A sample that comes for the first time is as new as an evaluated one. So the rule that was learnt is a real one, and
    what is evaluated follows another: other numbers for words or classes, another order of columns, another
    preparation, or a score that is computed wrongly: answers of a shuffled loader beside labels that are not.

    ## What to try
    Print a training and an evaluated sample side by side as the model gets them, with their labels. Make vocabularies,
    label numbers and scalers once, from the training data, and use them for both.

    ## When it is wrong
    Evaluation on data of another kind on purpose.
    """
    misaligned = in_another_order(window, learnt)
    if misaligned is not None:
        return misaligned
    if has_several_passes(window):
        raise Skip("several passes for each step may each have their own label")
    other_rule = another_rule(window, learnt, slack)
    if other_rule is not None:
        return other_rule
    train, evaluated = labelled(window), labelled(window, "eval")
    # Of answers for places in a sequence, a mask may choose some only after they were compared.
    if any(middle(rows["counted"] / np.maximum(rows["size"], 1)) > 1 for rows in (train, evaluated)):
        raise Skip("there is more than one label for each sample")
    late = evaluated.where(evaluated["step"] >= 0.6 * window.last_step)
    fresh = _fresh(train, evaluated)
    if min(_answers(fresh), _answers(late)) < LEAST_ANSWERS:
        raise Skip(f"fewer than {LEAST_ANSWERS} answers for new training samples, or for evaluated ones, were counted")
    chances = [majority(window, phase) or 1.0 for phase in ("train", "eval")]
    new, end, old = (_share(rows) for rows in (fresh, late, train.where(train["step"] >= 0.8 * window.last_step)))
    if max(chances) > MOST_FREQUENT or min(new, old) < chances[0] + learnt + share_noise(chances[0], _answers(fresh)):
        return None
    if end > chances[1] + slack + share_noise(chances[1], _answers(late)):
        return None
    return window.finding(
        f"{new:.1%} of the answers for training samples are right when they come for the first time, and {end:.1%} of "
        f"those in evaluation, as for a guess ({chances[1]:.1%})",
        where=window.at(window.line("evaluation data") or window.line("evaluation")),
        confidence=0.8,
        new_training_samples=new,
        evaluated=end,
    )


def _fresh(train: Table, evaluated: Table) -> Table:
    """Batches, once the model has learnt something, of samples that did not come before.

    Where samples cannot be told apart, those before the first evaluation, which mostly ends the first pass.
    """
    is_new = _is_new(train)
    if is_new[:5].mean() < 0.5 if len(is_new) else True:
        first = evaluated["step"].min() if evaluated.count else 0
        is_new = train["step"] <= first
    rows = train.where(is_new)
    return rows.where(rows["step"] >= np.median(rows["step"])) if rows.count else rows


def _is_new(rows: Table) -> Array:
    seen: set[float] = set()
    found = []
    for samples in rows["samples"]:
        own = set() if samples is None else set(np.asarray(samples).tolist())
        found.append(bool(own) and len(own & seen) <= 0.1 * len(own))
        seen |= own
    return np.array(found, bool)


def _answers(rows: Table) -> float:
    return float(np.nansum(rows["counted"])) if rows.count else 0.0


def _share(rows: Table) -> float:
    return float(np.nansum(rows["correct"]) / max(_answers(rows), 1.0))
