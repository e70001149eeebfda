"""Conditions: what they may say, and when they hold."""

import re

import pytest

from stetho.checks import CATALOG
from stetho.conditions import Condition, shipped_checks


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("step == 100", {"step": 100}, True),
        ("loss > 10", {"loss": 9.0}, False),
        ("loss > 10", {"loss": None}, False),
        ("loss != loss", {"loss": float("nan")}, True),
        ("step % 50 == 0 and not loss < 1", {"step": 100, "loss": 2.0}, True),
        ("1 < step <= 3", {"step": 3}, True),
        ("grad_norm / lr > 5", {"grad_norm": 1.0, "lr": 0.0}, False),
        ("-loss < -3 or step > 5", {"loss": 4.0, "step": 1}, True),
    ],
)
def test_expressions_hold_or_not(text, values, expected):
    assert Condition.parse(text).holds(values) is expected


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("los > 3", "unknown name `los`, did you mean `loss`"),
        ("nanx", "is not known, did you mean `nan`; known: nan (infinity too), the names of checks, and step, loss"),
        ("__import__('os')", "has a Call"),
        ("loss.item() > 1", "has a Call"),
        ("loss >", "must be nan, the name of a check"),
    ],
)
def test_anything_else_is_refused_with_the_rule(text, complaint):
    with pytest.raises(ValueError, match=re.escape(complaint)):
        Condition.parse(text)


def test_knows_nan_and_checks():
    assert [Condition.parse(text).kind for text in ("nan", "dead-relu", "loss - lr > 1")] == [
        "nan",
        "check",
        "expression",
    ]


def test_every_check_that_is_shipped_is_known_by_name():
    assert {each.name for each in CATALOG} == set(shipped_checks())
    assert {Condition.parse(name).kind for name in shipped_checks()} == {"check"}


def test_a_check_with_a_typing_error_is_told():
    for text in ("dead-rellu", "dead_relu", "deadrelu"):
        with pytest.raises(ValueError, match="did you mean `dead-relu`"):
            Condition.parse(text)
    assert Condition.parse("my-own-check").kind == "check"
