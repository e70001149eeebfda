import numpy as np
import pytest

from stetho.checks.mechanisms.drawn_alike import drawn_alike
from stetho.checks.signal.collapsed_output import collapsed_output
from stetho.testing import make_window

ALIKE = {"drawn alike": ["pairs.py:23"]}
STANDING = np.full(120, 1.0)


def test_finds_a_loss_that_stands_where_negatives_are_no_others():
    found = drawn_alike(make_window(steps=120, step={"loss": STANDING}, lines=ALIKE))
    assert (found.where.line, found.severity) == (23, "error")


@pytest.mark.parametrize(("losses", "lines"), [(np.geomspace(1, 0.1, 120), ALIKE), (STANDING, {})])
def test_stays_quiet_on_what_is_learnt_or_drawn_from_others(losses, lines):
    assert drawn_alike(make_window(steps=120, step={"loss": losses}, lines=lines)) is None


def test_the_check_asks():
    found = collapsed_output(make_window(steps=120, step={"loss": STANDING}, lines=ALIKE))
    assert "same group" in found.title
