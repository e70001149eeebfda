"""Answers in training that may be right by heart alone."""

import pytest

from stetho.checks.mechanisms.by_heart import learnt_by_heart_alone
from stetho.testing import make_window

RULE = {"samples": 800, "classes": 4, "held": 0.26, "chance": 0.25}
UNSEEN = {"label_counts": None, "correct": None, "counted": None}


def learnt(rule: dict[str, float] = RULE, metrics: object = None, evaluated: object = UNSEEN) -> str | None:
    return learnt_by_heart_alone(make_window(probes={"rule": rule}, metrics=metrics or {}, eval_batch=evaluated))


def test_says_what_a_rule_makes_of_samples_that_it_was_not_made_of() -> None:
    assert "right for 26.0% of the others" in (learnt() or "")


@pytest.mark.parametrize(
    "known",
    [
        {"rule": RULE | {"held": 0.6}},
        {"rule": RULE | {"classes": 0}},
        {"rule": {}},
        {"metrics": {("loss", "eval"): 0.4}},
        {"evaluated": {"correct": 20}},
    ],
)
def test_says_nothing_where_a_rule_holds_or_new_data_were_answered(known: dict[str, object]) -> None:
    assert learnt(**known) is None
