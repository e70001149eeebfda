import numpy as np
import pytest

from stetho.checks.data.batch_too_large import batch_too_large
from stetho.checks.declare import Skip
from stetho.checks.run.facts import Optimizer
from stetho.testing import make_window

SLOW = {"batch_size": 4096, "loss": np.linspace(1.4, 1.2, 20)}


def test_finds_a_few_steps_that_end_high() -> None:
    assert batch_too_large(make_window(steps=20, step=SLOW)).evidence["updates"] == 20.0


def test_stays_quiet_when_it_trains_and_on_usual_batches() -> None:
    assert batch_too_large(make_window()) is None
    assert batch_too_large(make_window(steps=20, step=SLOW | {"loss": np.linspace(1.4, 0.1, 20)})) is None
    assert batch_too_large(make_window(steps=20, step=SLOW | {"batch_size": 64})) is None


@pytest.mark.parametrize(("correct", "is_found"), [(60.0, True), (99.0, False)])
def test_finds_a_loss_that_falls_fast_to_the_end_while_answers_are_wrong(correct: float, is_found: bool) -> None:
    answers = {"label_counts": [np.full(10, 10.0)] * 3, "correct": correct, "counted": 100.0}
    falling = SLOW | {"loss": np.linspace(1.4, 0.4, 20)}
    assert (batch_too_large(make_window(steps=20, step=falling, eval_batch=answers)) is not None) is is_found


def test_stays_quiet_on_methods_that_need_all_data() -> None:
    assert batch_too_large(make_window(steps=20, step=SLOW, optimizers=[Optimizer(0, "LBFGS")])) is None


def test_skips_runs_of_a_few_steps() -> None:
    with pytest.raises(Skip):
        batch_too_large(make_window(steps=2))


def test_counts_the_updates_of_steps_too_that_nobody_looked_at() -> None:
    assert batch_too_large(make_window(steps=20, step=SLOW | {"step": [*range(1, 20), 5000]})) is None


def test_blames_no_batch_where_the_loop_was_left_before_its_rounds() -> None:
    given = {"train.py:9": {"rounds=400": "train.py:12"}}
    with pytest.raises(Skip, match="more rounds were planned"):
        batch_too_large(make_window(steps=20, step=SLOW, lines={"step": ["train.py:9"]}, given=given))
