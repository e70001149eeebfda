import numpy as np
import pytest

from stetho.checks.data.too_few_examples import too_few_examples
from stetho.checks.declare import Skip
from stetho.checks.run.facts import Load, Loader
from stetho.checks.run.series import Series
from stetho.testing import make_window

WORSE = {("loss", "eval"): Series(np.arange(6) * 10 + 10, np.array([1.3, 0.9, 1.1, 1.5, 2.0, 2.4]))}
LEARNT = {"loss": np.geomspace(1.4, 1e-3, 60)}


def of(length: int | None) -> list[Loader]:
    return [Loader(0, length=length, line="train.py:28"), Loader(1, length=200)]


def test_finds_few_samples_that_are_learnt_by_heart() -> None:
    finding = too_few_examples(make_window(loaders=of(20), step=LEARNT, metrics=WORSE))
    assert (finding.evidence["samples"], finding.where.line) == (20.0, 28)


def test_counts_samples_that_come_again_where_no_loader_tells() -> None:
    window = make_window(
        step=LEARNT, metrics=WORSE, batch={"loader": None, "samples": np.tile(np.arange(20), (60, 1)), "size": 20}
    )
    assert too_few_examples(window).evidence["samples"] == 20.0


@pytest.mark.parametrize(("hashes", "is_told"), [(7.0, True), (np.arange(60.0) % 2, False)])
def test_says_so_when_all_that_comes_is_one_batch(hashes: object, is_told: bool) -> None:
    seen = {"loader": None, "samples": np.tile(np.arange(20), (60, 1)), "size": 20, "hash": hashes}
    finding = too_few_examples(make_window(step=LEARNT, metrics=WORSE, batch=seen))
    assert ("given the same samples" in finding.try_next) is is_told


@pytest.mark.parametrize(("step", "severity"), [(60, "note"), (0, "warning")])
def test_it_is_a_note_where_the_program_goes_back_to_its_best_point(step: int, severity: str) -> None:
    loads = [Load(given=4, matched=4, step=step)]
    finding = too_few_examples(make_window(loaders=of(20), step=LEARNT, metrics=WORSE, loads=loads))
    assert finding.severity == severity


def answers(correct: float, *, evaluated: float) -> dict[str, object]:
    """A run of all right answers in training, whose evaluation gives so many of 100 right."""
    counts = {"label_counts": [np.full(10, 10.0)] * 3, "correct": correct, "counted": 100.0}
    right = {"label_counts": [np.full(10, 10.0)] * 60, "correct": 100.0, "counted": 100.0}
    evaluation = {"step": [20.0, 40.0, 60.0], "size": evaluated, **counts}
    return {"loaders": of(20), "step": LEARNT, "metrics": {}, "batch": right, "eval_batch": evaluation}


def test_finds_what_is_right_in_training_only() -> None:
    assert "44% of the error of a guess" in too_few_examples(make_window(**answers(60, evaluated=300.0))).title


def test_finds_it_though_the_training_is_unsteady_at_its_end() -> None:
    run = answers(60, evaluated=300.0)
    late = np.where(np.arange(60) < 50, 100.0, 40.0)
    run["batch"] = {**run["batch"], "correct": late, "counted": 100.0}  # type: ignore[dict-item]
    assert too_few_examples(make_window(**run)) is not None


def test_stays_quiet_on_right_answers_and_on_a_small_evaluation() -> None:
    assert too_few_examples(make_window(**answers(95, evaluated=300.0))) is None
    assert too_few_examples(make_window(**answers(60, evaluated=10.0))) is None


def test_stays_quiet_with_enough_samples_or_a_good_evaluation() -> None:
    assert too_few_examples(make_window(loaders=of(4096), step=LEARNT, metrics=WORSE)) is None
    good = {("loss", "eval"): Series(np.arange(6), np.linspace(1.3, 0.1, 6))}
    assert too_few_examples(make_window(loaders=of(20), step=LEARNT, metrics=good)) is None


def test_skips_without_an_evaluation_or_a_count() -> None:
    with pytest.raises(Skip):
        too_few_examples(make_window(loaders=of(20), metrics={}, eval_batch={"label_counts": None}))
    with pytest.raises(Skip):
        too_few_examples(make_window(batch={"loader": None, "samples": None}))


def test_points_at_the_number_of_samples() -> None:
    given = {"train.py:28": {"rows=20": "train.py:3"}}
    assert too_few_examples(make_window(loaders=of(20), step=LEARNT, metrics=WORSE, given=given)).where.line == 3
