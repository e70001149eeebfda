import pytest

from stetho.checks.mechanisms.standing import standing
from stetho.checks.run.facts import Load, Model
from stetho.testing import make_window

MODELS = [Model(0, "Net"), Model(1, "Net", is_trained=False, line="train.py:5")]


def judged(steps=200, renewed=(), loads=(), numbers=None, **changed):
    found = {"model": 1, "trained": 0, "looks": 30, "last": 190, "way": 0.5} | changed
    given = {"probes": {"standing": found}, "lines": {"renewed": renewed}, "loads": loads}
    step = {"step": numbers or list(range(1, steps + 1))}
    return standing(make_window(steps=steps, models=MODELS, step=step, **given))


def test_finds_a_copy_that_never_gets_the_weights():
    found = judged()
    assert "moved by 50%" in found.title
    assert found.where.line == 5


def test_finds_it_where_weights_were_given_once_at_the_start():
    assert judged(renewed=["train.py:7"], loads=[Load("train.py:7", step=0)]) is not None


@pytest.mark.parametrize(
    "change", [{"way": 0.01}, {"looks": 3}, {"last": 60}, {"steps": 60}, {"renewed": ["train.py:40"]}]
)
def test_stays_quiet_where_nothing_moves_little_was_seen_or_the_time_may_come(change):
    assert judged(**change) is None


def test_stays_quiet_without_a_copy():
    assert standing(make_window(steps=200)) is None


def test_a_look_long_before_the_end_says_nothing():
    assert judged(numbers=[*range(1, 200), 5000]) is None
