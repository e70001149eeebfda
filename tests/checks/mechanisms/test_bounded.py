import pytest

from stetho.checks.mechanisms.bounded import bounded
from stetho.checks.run.facts import Loss
from stetho.testing import make_window


def judged(bound, choices, shape):
    losses = [Loss("cross_entropy", line="train.py:8", input=f"float32{list(shape)}")]
    return bounded(make_window(losses=losses, probes={"bounded": {"bound": bound, "choices": choices}}))


@pytest.mark.parametrize(("bound", "shape"), [(0.1, (128, 128)), (0.5, (128, 128)), (0.07, (32, 100)), (0.1, (32, 10))])
def test_finds_scores_that_cannot_grow(bound, shape):
    found = judged(bound, shape[1], shape)
    assert "cannot fall below" in found.title
    assert found.where.line == 8


@pytest.mark.parametrize(
    ("bound", "shape"),
    [(10.0, (128, 128)), (2.0, (256, 256)), (1.0, (512, 512)), (1.0, (32, 100)), (0.9, (32, 3)), (16.0, (32, 1000))],
)
def test_stays_quiet_on_scores_with_room(bound, shape):
    assert judged(bound, shape[1], shape) is None


def test_stays_quiet_where_nothing_is_bounded():
    assert bounded(make_window()) is None
