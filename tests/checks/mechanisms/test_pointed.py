import numpy as np
import pytest

from stetho.checks.data.labels_independent_of_inputs import labels_independent_of_inputs
from stetho.checks.mechanisms.pointed import pointed_elsewhere
from stetho.checks.run.facts import Loss
from stetho.testing import make_window

N, GUESS = 16, 2.77
OWN = np.ones(N)
FIRST = np.eye(N)[0] * N
CLASSES = np.array([4.0] * 4 + [0.0] * 12)


def compared(counts, loss=GUESS, *, shape=(N, N), size=float(N), probes=None):
    rows = {"label_counts": [counts] * 60, "counted": size, "size": size, "loss": loss, "correct": 1.0}
    losses = [Loss("cross_entropy", "train.py:8", input=f"float32{list(shape)}", target_made="train.py:7")]
    probes = {"bounded": {"bound": 5.0, "choices": shape[1]}} if probes is None else probes
    return make_window(steps=60, batch=rows, losses=losses, probes=probes)


@pytest.mark.parametrize(("counts", "said", "line"), [(FIRST, "are all 0", 7), (CLASSES, "name 4 of these alone", 8)])
def test_finds_targets_that_are_not_the_rows_of_their_own(counts, said, line):
    found = labels_independent_of_inputs(compared(counts))
    assert said in found.title
    assert found.where.line == line


def test_one_target_for_all_is_known_without_unit_vectors():
    assert pointed_elsewhere(compared(FIRST, probes={})) is not None
    assert pointed_elsewhere(compared(CLASSES, probes={})) is None


@pytest.mark.parametrize(
    "window",
    [
        compared(OWN),
        compared(FIRST, np.geomspace(np.log(N), 0.2, 60)),  # the partner is put first, and is found there
        compared(FIRST, shape=(N, N + 1), size=float(N)),
        compared(CLASSES, size=32.0),
        make_window(),
    ],
)
def test_stays_quiet_on_partners_and_on_what_is_learnt(window):
    assert pointed_elsewhere(window) is None
