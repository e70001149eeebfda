"""Simple rules as checks see them."""

import numpy as np
import pytest

from stetho.checks.evidence.rule import rule_of
from stetho.testing import make_window


def made(**found):
    return rule_of(make_window(probes={"rule": {"samples": 400, "classes": 2, "held": 0.5, "chance": 0.5, **found}}))


def test_what_was_not_tried_is_no_number():
    assert np.isnan(made().evaluated)
    assert made().groups == ()
    assert made(groups=[3, 4]).groups == (3, 4)


@pytest.mark.parametrize("probes", [{}, {"rule": {"samples": 99, "classes": 2}}])
def test_without_samples_there_is_no_rule(probes):
    assert rule_of(make_window(probes=probes)) is None


def test_chance_depends_on_the_number_of_samples():
    assert made().beyond_chance(0.6)
    assert not made().beyond_chance(0.55)
    assert not made(classes=0).beyond_chance(0.1)
    assert made(classes=0).beyond_chance(0.2)
    assert not made(evaluated_samples=40, evaluated_chance=0.5).beyond_chance(0.6, of_evaluated=True)
