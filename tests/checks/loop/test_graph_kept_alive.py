import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.graph_kept_alive import graph_kept_alive
from stetho.testing import make_window


def test_finds_graphs_that_only_become_more():
    found = graph_kept_alive(make_window(step={"graphs_alive": list(range(60))}))
    assert (found.severity, found.where.line) == ("error", 32)
    assert "59 graphs" in found.title


def test_stays_quiet_when_none_is_kept():
    assert graph_kept_alive(make_window()) is None


def test_stays_quiet_when_they_are_let_go_now_and_then():
    assert graph_kept_alive(make_window(step={"graphs_alive": [step % 6 * 10 for step in range(60)]})) is None


def test_stays_quiet_on_a_few_that_are_kept_for_good():
    assert graph_kept_alive(make_window(step={"graphs_alive": [min(step, 5) for step in range(60)]})) is None


@pytest.mark.parametrize("counted", [0, 4])
def test_is_skipped_when_they_were_hardly_counted(counted):
    with pytest.raises(Skip, match="fewer than 5 steps"):
        graph_kept_alive(make_window(step={"graphs_alive": [50] * counted + [None] * (60 - counted)}))


def test_points_at_the_line_that_keeps_them():
    given = {"train.py:32": {"kept": "train.py:34"}}
    assert graph_kept_alive(make_window(step={"graphs_alive": list(range(60))}, given=given)).where.line == 34


def test_points_at_passes_for_nothing_that_goes_backward():
    lines = {"backward": ["train.py:32"], "unused forward": ["train.py:40"]}
    given = {"train.py:32": {"kept": "train.py:34"}}
    for known, line in (({}, 40), (given, 34)):
        found = graph_kept_alive(make_window(step={"graphs_alive": list(range(60))}, lines=lines, given=known))
        assert found.where.line == line
