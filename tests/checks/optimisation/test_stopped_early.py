import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.optimisation.stopped_early import stopped_early
from stetho.testing import make_window


def test_finds_a_loss_that_is_still_falling() -> None:
    finding = stopped_early(make_window(step={"loss": np.linspace(2, 1, 60)}))
    assert finding.severity == "note"


def test_stays_quiet_on_a_loss_that_has_arrived() -> None:
    assert stopped_early(make_window(steps=200)) is None


def test_stays_quiet_on_a_loss_that_rises_or_stays() -> None:
    assert stopped_early(make_window(step={"loss": np.linspace(1, 2, 60)})) is None
    assert stopped_early(make_window(step={"loss": 1.0})) is None


def test_skips_short_runs_and_losses_that_are_no_numbers() -> None:
    with pytest.raises(Skip):
        stopped_early(make_window(steps=19))
    with pytest.raises(Skip):
        stopped_early(make_window(step={"loss": np.nan}))


def test_says_nothing_of_a_run_that_went_on_unseen() -> None:
    falling = {"loss": np.linspace(2, 1, 60)}
    assert stopped_early(make_window(step=falling, info={"steps": 65})) is not None
    with pytest.raises(Skip, match="not looked at"):
        stopped_early(make_window(step=falling, info={"steps": 200}))


def test_a_loss_that_has_hardly_come_down_and_falls_as_ever_is_a_warning() -> None:
    loss = np.linspace(2.3, 1.9, 60)
    assert stopped_early(make_window(step={"loss": loss})).severity == "warning"
    lowered = {"loss": loss, "lr": np.linspace(0.1, 0.0, 60)}
    assert stopped_early(make_window(step=lowered)).severity == "note"


def test_a_loss_that_falls_while_most_answers_are_wrong_is_a_warning() -> None:
    def answers(right: int, **step):  # type: ignore[no-untyped-def]
        rows = {"label_counts": [[15, 15, 15, 15]] * 10, "correct": right, "counted": 60}
        return stopped_early(make_window(step={"loss": np.linspace(2, 1, 60)} | step, eval_batch=rows))

    assert answers(30).severity == "warning"
    assert answers(50).severity == "note"
    assert answers(30, lr=np.linspace(0.1, 0.0, 60)).severity == "note"


def test_a_loss_that_falls_faster_and_faster_is_a_warning_while_some_answers_are_wrong() -> None:
    rows = {"label_counts": [[15, 15, 15, 15]] * 10, "counted": 60}
    faster = {"loss": 2.3 - np.linspace(0, 1.2, 60) ** 2}
    assert stopped_early(make_window(step=faster, eval_batch=rows | {"correct": 45})).severity == "warning"
    assert stopped_early(make_window(step=faster, eval_batch=rows | {"correct": 58})).severity == "note"


def test_a_short_run_is_a_warning_only_if_its_loss_falls_faster_and_faster() -> None:
    wrong = {"label_counts": [[15, 15, 15, 15]] * 10, "counted": 60, "correct": 20}
    faster, evenly = ({"loss": 2.3 - np.linspace(0, 1.2, 25) ** power} for power in (2, 0.6))
    assert stopped_early(make_window(steps=25, step=faster, eval_batch=wrong)).severity == "warning"
    assert stopped_early(make_window(steps=25, step=evenly, eval_batch=wrong)).severity == "note"
    little = {"loss": 2.3 - 0.3 * np.linspace(0, 1.2, 25) ** 2}
    assert stopped_early(make_window(steps=25, step=little, eval_batch=wrong)).severity == "note"


def test_points_at_where_the_rounds_are_counted() -> None:
    falling = {"loss": np.linspace(2, 1, 60)}
    assert stopped_early(make_window(step=falling, lines={"rounds": ["train.py:3"]})).where.line == 3
    assert stopped_early(make_window(step=falling)).where.line == 33


def test_the_second_half_is_that_of_the_steps_and_not_of_those_that_were_looked_at() -> None:
    looked_at = np.append(np.arange(1, 101), np.arange(120, 1001, 20))
    settled = 1 + np.exp(-looked_at / 40)
    assert stopped_early(make_window(steps=145, step={"step": looked_at, "loss": settled})) is None
    falling = stopped_early(make_window(steps=145, step={"step": looked_at, "loss": 2 - looked_at / 1000}))
    assert falling.title == "the loss still fell from 1.44 to 1.04 in the second half of 1000 steps"


def test_counts_the_steps_of_the_training_that_it_tells_of() -> None:
    course = {"optimizer": [0.0] * 40 + [1.0] * 60, "loss": np.append(np.full(40, 0.1), np.linspace(2, 1, 60))}
    assert stopped_early(make_window(steps=100, step=course)).title.endswith("in the second half of 60 steps")


def test_skips_a_run_whose_later_steps_were_hardly_looked_at() -> None:
    looked_at = np.append(np.arange(1, 101), [700, 1000])
    with pytest.raises(Skip, match="later steps"):
        stopped_early(make_window(steps=102, step={"step": looked_at, "loss": 2 - looked_at / 1000}))


@pytest.mark.parametrize(("evaluated", "planned", "severity", "line"), [
    (np.linspace(1.6, 1.5, 30), 400, "warning", 12),
    (np.append(np.linspace(1.6, 1.5, 15), np.linspace(1.5, 1.7, 15)), 400, "note", 3),
    (np.linspace(1.6, 1.5, 30), 30, "note", 3),
])  # fmt: skip
def test_points_at_what_left_the_loop_with_the_evaluation_at_its_best(
    evaluated: np.ndarray, planned: int, severity: str, line: int
) -> None:
    window = make_window(
        steps=30,
        step={"loss": np.linspace(1.6, 1.45, 30)},
        metrics={("loss", "eval"): evaluated},
        batch={"label_counts": [np.full(5, 4.0)] * 30, "correct": 6.0, "counted": 20.0},
        eval_batch={"label_counts": None},
        lines={"step": ["train.py:9"], "rounds": ["train.py:3"]},
        given={"train.py:9": {f"rounds={planned}": "train.py:12"}},
    )
    found = stopped_early(window)
    assert (found.severity, found.where.line) == (severity, line)
