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


@pytest.mark.parametrize("change", [{"gone": 0.8}, {"gone": 0.0}, {"cosine": 0.1}, {"step": 20}])
def test_stays_quiet_on_copies_that_follow_or_go_elsewhere(change):
    assert judged(**change) is None


def test_points_at_the_decay_where_it_is_written():
    found = {"gone": 0.03, "cosine": 0.9, "model": 1, "step": 60}
    batch = {"model": 1, "counted": 20, "loss": None}
    lines = {"decay": ["train.py:7"]}
    window = make_window(models=MODELS, probes={"lagging": found}, eval_batch=batch, lines=lines)
    assert lagging(window).where.line == 7


def test_stays_quiet_without_a_copy():
    assert lagging(make_window()) is None


def test_steps_count_and_not_the_rows_that_were_looked_at():
    assert judged(step=60, numbers=LONG) is None, "it was looked at long before the end"
    assert "after 5000 steps" in judged(step=4999, numbers=LONG).title


def asked(steps):
    found = {"gone": 0.03, "cosine": 0.9, "model": 1, "step": 60}
    batch = {"model": 1, "counted": None, "loss": None, "step": steps}
    return lagging(make_window(models=MODELS, probes={"lagging": found}, eval_batch=batch))


def test_finds_an_average_that_is_asked_for_samples_now_and_then():
    assert asked([20, 20, 40, 40, 60, 60]) is not None


def test_stays_quiet_on_a_copy_that_is_asked_in_every_step():
    assert asked(list(range(1, 61))) is None
