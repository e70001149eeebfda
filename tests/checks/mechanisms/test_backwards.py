import pytest

from stetho.checks.data.labels_independent_of_inputs import labels_independent_of_inputs
from stetho.checks.mechanisms.backwards import left_backwards
from stetho.checks.run.facts import LossGraph
from stetho.testing import make_window

LINES = {"left backwards": ["train.py:9"]}
GRAPHS = [LossGraph("train.py:30", reward={"name": "adv", "turned": False})]


def test_finds_returns_that_meet_choices_in_the_opposite_order():
    found = left_backwards(make_window(lines=LINES, loss_graphs=GRAPHS))
    assert found.where.line == 9
    assert "`adv`" in found.title


@pytest.mark.parametrize(
    "given",
    [{"lines": LINES, "loss_graphs": []}, {"lines": {}, "loss_graphs": GRAPHS},
     {"lines": LINES, "loss_graphs": GRAPHS, "steps": 5}],
    ids=["no policy", "turned round", "short"],
)  # fmt: skip
def test_stays_quiet_without_a_policy_or_a_line_and_on_a_short_run(given):
    assert left_backwards(make_window(**given)) is None


def test_the_check_asks_before_labels_are_looked_at():
    found = labels_independent_of_inputs(make_window(lines=LINES, loss_graphs=GRAPHS, probes={}))
    assert "another moment" in found.title
