import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.loss.posterior_collapse import posterior_collapse
from stetho.checks.run.facts import LossGraph
from stetho.testing import make_window


def told(nats, steps=300):
    return make_window(steps=steps, loss_graphs=[LossGraph(line="a.py:9", nats=tuple(nats))])


def test_finds_a_code_that_is_driven_to_nothing():
    found = posterior_collapse(told(np.geomspace(0.3, 1e-5, 20)))
    assert (found.severity, found.where.line) == ("error", 9)


@pytest.mark.parametrize(
    "nats",
    [
        pytest.param(np.linspace(0.02, 12.0, 20), id="a code that grows"),
        pytest.param(np.geomspace(40.0, 1.5, 20), id="a factor that rises"),
        pytest.param([0.02] * 8 + [0.001] * 6 + [0.004, 0.01, 0.02, 0.03, 0.04, 0.045], id="a code about to be found"),
    ],
)
def test_stays_quiet_on_a_code_that_says_something_or_begins_to(nats):
    assert posterior_collapse(told(nats)) is None


def test_is_skipped_when_training_has_hardly_begun():
    with pytest.raises(Skip):
        posterior_collapse(told([0.01] * 20, steps=50))


def test_is_skipped_without_such_a_term():
    with pytest.raises(Skip, match="no loss has the divergence"):
        posterior_collapse(make_window())


def test_is_skipped_when_the_code_was_hardly_looked_at():
    with pytest.raises(Skip, match="fewer than 6 times"):
        posterior_collapse(told([0.001] * 5))


def test_leaves_a_code_that_is_no_number_to_others():
    assert posterior_collapse(told([0.001] * 19 + [np.nan])) is None
