import pytest

from stetho.checks.mechanisms.lagging import lagging
from stetho.checks.run.facts import Model
from stetho.testing import make_window

MODELS = [Model(0, "Net"), Model(1, "Net", is_trained=False, line="train.py:5")]


LONG = [*range(1, 60), 5000]


def judged(gone=0.03, cosine=0.9, step=60, counted=20, numbers=range(1, 61)):
    found = {"gone": gone, "cosine": cosine, "model": 1, "step": step}
    batch = {"model": 1, "counted": counted, "loss": None}
    return lagging(
        make_window(models=MODELS, probes={"lagging": found}, eval_batch=batch, step={"step": list(numbers)})
    )


def test_finds_an_average_that_has_hardly_begun():
    found = judged()
    assert "3.0% of the way" in found.title
    assert found.where.line == 5


@pytest.mark.parametrize("change", [{"gone": 0.8}, {"gone": 0.0}, {"cosine": 0.1}, {"step": 20}, {"counted": None}])
def test_stays_quiet_on_copies_that_follow_or_go_elsewhere_or_answer_nothing(change):
    assert judged(**change) is None


def test_stays_quiet_without_a_copy():
    assert lagging(make_window()) is None


def test_steps_count_and_not_the_rows_that_were_looked_at():
    assert judged(step=60, numbers=LONG) is None, "it was looked at long before the end"
    assert "after 5000 steps" in judged(step=4999, numbers=LONG).title
