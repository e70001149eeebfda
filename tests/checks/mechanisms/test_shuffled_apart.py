import numpy as np
import pytest

from stetho.checks.data.labels_independent_of_inputs import labels_independent_of_inputs
from stetho.checks.mechanisms.shuffled_apart import shuffled_apart
from stetho.testing import make_window

APART = {"shuffled apart": ["train.py:9"]}
STANDING = 0.57 + 0.3 * np.exp(-np.arange(120) / 6)


def judged(losses, lines=APART):
    return shuffled_apart(make_window(steps=len(losses), step={"loss": losses}, lines=lines))


def test_finds_a_loss_that_stands_where_rows_were_parted():
    found = judged(STANDING)
    assert found.where.line == 9
    assert "each by itself" in found.title


@pytest.mark.parametrize(
    ("losses", "lines"), [(np.geomspace(1, 0.1, 120), APART), (STANDING, {}), (STANDING[:20], APART)]
)
def test_stays_quiet_on_what_is_learnt_or_not_parted_or_short(losses, lines):
    assert judged(losses, lines) is None


def test_the_check_asks_also_where_no_labels_were_seen():
    found = labels_independent_of_inputs(make_window(steps=120, step={"loss": STANDING}, lines=APART, probes={}))
    assert "no longer belong together" in found.title
