import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.hooks_piling_up import hooks_piling_up
from stetho.checks.run.facts import HookPile
from stetho.testing import make_window


def pile(count, steps, line="train.py:12"):
    return HookPile(line, "register_forward_hook", "Linear", count, steps)


def test_finds_hooks_that_come_in_each_epoch():
    found = hooks_piling_up(make_window(hooks=[pile(2, (0, 10)), pile(6, (0, 10, 20, 30, 40, 50), "train.py:20")]))
    assert (found.severity, found.where.line, found.steps.last) == ("error", 20, 50)
    assert "6 hooks of one line are on one Linear" in found.title


def test_stays_quiet_on_a_few():
    assert hooks_piling_up(make_window(hooks=[pile(3, (0, 10, 20))])) is None


def test_stays_quiet_on_many_that_came_at_once():
    assert hooks_piling_up(make_window(hooks=[pile(40, (0, 1))])) is None


def test_is_skipped_when_hooks_came_once_or_never():
    with pytest.raises(Skip, match="no module got hooks"):
        hooks_piling_up(make_window())
