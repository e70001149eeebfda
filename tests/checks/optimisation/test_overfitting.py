import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.optimisation.overfitting import overfitting
from stetho.checks.run.facts import Load, Loss
from stetho.checks.run.series import Series
from stetho.testing import make_window

STEPS = np.array([10, 20, 30, 40, 50, 60])


def metrics(values: list[float]) -> dict[tuple[str, str], Series]:
    return {("loss", "eval"): Series(STEPS, np.array(values))}


def test_finds_an_evaluation_loss_that_rises() -> None:
    window = make_window(step={"loss": np.geomspace(2, 0.01, 60)}, metrics=metrics([1.5, 1.0, 1.2, 1.5, 1.9, 2.2]))
    finding = overfitting(window)
    assert finding.severity == "warning"
    assert finding.steps.first == 20


def test_a_small_rise_is_a_note() -> None:
    window = make_window(step={"loss": np.geomspace(2, 0.4, 60)}, metrics=metrics([1.5, 1.0, 1.1, 1.1, 1.2, 1.2]))
    assert overfitting(window).severity == "note"


@pytest.mark.parametrize(("right", "severity"), [(60, "warning"), (99, "note")])
def test_a_model_with_hardly_any_error_left_is_worth_a_note(right: int, severity: str) -> None:
    answers = {"label_counts": [50, 50], "correct": right, "counted": 100, "step": [20, 40, 60]}
    window = make_window(
        step={"loss": np.geomspace(1, 1e-4, 60)}, metrics=metrics([0.99, 0.1, 0.013, 0.03, 0.03, 0.03]),
        eval_batch=answers,
    )  # fmt: skip
    assert overfitting(window).severity == severity


def test_stays_quiet_when_both_fall() -> None:
    assert overfitting(make_window(metrics=metrics([1.5, 1.0, 0.8, 0.7, 0.6, 0.5]))) is None


def test_stays_quiet_when_both_rise() -> None:
    window = make_window(step={"loss": np.linspace(1, 5, 60)}, metrics=metrics([1.0, 1.5, 2.0, 3.0, 4.0, 5.0]))
    assert overfitting(window) is None


def test_skips_runs_with_few_evaluations() -> None:
    with pytest.raises(Skip):
        overfitting(make_window(metrics={("loss", "eval"): Series(STEPS[:2], np.array([1.0, np.nan]))}))


def test_an_evaluation_that_ends_at_its_lowest_does_not_rise() -> None:
    window = make_window(step={"loss": np.geomspace(2, 0.2, 60)}, metrics=metrics([7.2, 6.7, 6.6, 6.6, 6.6, 3.2]))
    assert overfitting(window) is None


def test_summed_losses_of_batches_of_different_size_are_no_alarm() -> None:
    summed = Loss("binary_cross_entropy", reduction="sum")
    losses = np.geomspace(2, 0.2, 60)
    window = make_window(step={"loss": losses}, metrics=metrics([9.0, 8.0, 7, 6, 6, 6]), losses=[summed])
    assert overfitting(window) is None


@pytest.mark.parametrize(
    ("load", "severity"),
    [
        (Load("train.py:9", matched=4, step=60), "note"),
        (Load("train.py:9", matched=4, step=30), "warning"),
        (Load("train.py:9", matched=4, step=60, kept=20), "warning"),
        (Load("train.py:9", matched=2, missing=2, step=60), "warning"),
    ],
    ids=["restored", "on the way", "no copy", "part"],
)
def test_a_state_that_is_loaded_at_the_end_makes_it_a_note(load: Load, severity: str) -> None:
    evaluation = metrics([1.5, 1.0, 1.2, 1.5, 1.9, 2.2])
    window = make_window(step={"loss": np.geomspace(2, 0.01, 60)}, metrics=evaluation, loads=[load])
    assert overfitting(window).severity == severity


def test_it_is_a_note_where_a_model_is_asked_by_hand_about_data_of_two_kinds() -> None:
    kinds = {"mean": [0.0, 5.0, 0.0], "std": 1.0, "loader": float("nan")}
    rising = metrics([1.5, 1.0, 1.2, 1.5, 1.9, 2.2])
    window = make_window(step={"loss": np.geomspace(2, 0.01, 60)}, metrics=rising, eval_batch=kinds)
    assert overfitting(window).severity == "note"
