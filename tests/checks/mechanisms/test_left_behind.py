import pytest

from stetho.checks.mechanisms.left_behind import left_behind
from stetho.checks.run.facts import Load, Model
from stetho.testing import make_window

MODELS = [Model(0, "Net"), Model(1, "Net", is_trained=False, line="train.py:5")]


def judged(counted=20, lines=None, loads=(), numbers=range(1, 61), **change):
    found = {"gone": 0.9, "cosine": 0.9, "model": 1, "step": 60, "norms": 3, "norms_as_made": 3} | change
    batch = {"model": 1, "counted": counted, "loss": None}
    given = {"probes": {"lagging": found}, "lines": lines or {}, "loads": loads}
    return left_behind(make_window(models=MODELS, eval_batch=batch, step={"step": list(numbers)}, **given))


def test_finds_norms_that_never_got_the_statistics():
    found = judged()
    assert "its batch norms are still mean 0" in found.title
    assert found.where.line == 5


def test_names_the_one_line_that_brings_the_copy_up_to_date():
    assert judged(lines={"renewed": ["train.py:9"]}).where.line == 9
    two = {"renewed": ["train.py:9", "train.py:10"]}
    assert judged(lines=two).where.line == 5
    assert judged(lines=two, loads=[Load("train.py:9")]).where.line == 10


@pytest.mark.parametrize(
    "change", [{"norms": 0}, {"norms_as_made": 2}, {"gone": 0.1}, {"step": 20}, {"counted": None}, {"model": 0}]
)
def test_stays_quiet_on_other_copies(change):
    assert judged(**change) is None


def test_stays_quiet_without_a_copy():
    assert left_behind(make_window()) is None


def test_a_look_long_before_the_end_says_nothing():
    assert judged(numbers=[*range(1, 60), 5000]) is None
