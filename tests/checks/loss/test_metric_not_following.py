import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.loss.metric_not_following import metric_not_following
from stetho.checks.run.facts import Loss, Optimizer
from stetho.checks.run.series import Series
from stetho.testing import make_window

FALLING = np.linspace(2.0, 0.2, 200)


def test_finds_an_accuracy_that_stays_at_chance() -> None:
    assert metric_not_following(make_window(steps=200, step={"loss": FALLING, "accuracy": 0.26})).severity == "warning"


def test_stays_quiet_when_the_accuracy_rises_or_is_high_already() -> None:
    assert metric_not_following(make_window(steps=200, step={"loss": FALLING})) is None
    counts = {"label_counts": [31, 1], "counted": 32}
    assert metric_not_following(make_window(steps=200, batch=counts, step={"loss": FALLING, "accuracy": 1.0})) is None


@pytest.mark.parametrize(("counts", "is_found"), [([95, 5], False), ([75, 25], True)])
def test_of_labels_that_are_nearly_all_of_one_class_the_accuracy_tells_little(
    counts: list[int], is_found: bool
) -> None:
    batch = {"label_counts": counts, "counted": 100, "correct": counts[0]}
    window = make_window(steps=200, batch=batch, step={"loss": FALLING, "accuracy": counts[0] / 100})
    assert (metric_not_following(window) is not None) == is_found


def test_stays_quiet_when_the_loss_does_not_fall() -> None:
    assert metric_not_following(make_window(steps=200, step={"loss": 1.4, "accuracy": 0.25})) is None


def test_skips_short_runs_several_optimizers_and_uncounted_labels() -> None:
    for given in (
        {"steps": 20},
        {"steps": 200, "step": {"accuracy": np.nan}},
        {"steps": 200, "optimizers": [Optimizer(0, "Adam"), Optimizer(1, "Adam")]},
        {"steps": 200, "batch": {"label_counts": None}},
    ):
        with pytest.raises(Skip):
            metric_not_following(make_window(**given))


def values(right: float, call: str = "mse_loss"):  # type: ignore[no-untyped-def]
    rows = {"label_counts": [[10] * 6] * 10, "correct": 60 * right, "counted": 60}
    return make_window(
        steps=200,
        step={"loss": np.geomspace(40, 2, 200), "accuracy": None},
        batch={"label_counts": None},
        eval_batch=rows,
        metrics={("accuracy", "eval"): Series(np.array([60, 120, 180]), np.full(3, right))},
        losses=[Loss(call, "train.py:31")],
    )


def test_finds_numbers_of_classes_that_are_predicted_as_values() -> None:
    finding = metric_not_following(values(0.3))
    assert (finding.where.line, "6 classes" in finding.title) == (31, True)


def test_stays_quiet_on_values_that_round_to_the_right_class() -> None:
    with pytest.raises(Skip):
        metric_not_following(values(0.9))
    with pytest.raises(Skip):
        metric_not_following(values(0.3, "cross_entropy"))


@pytest.mark.parametrize(
    ("words", "settings"), [("its inputs", {"target_is_input": 1.0}), ("2 places ahead", {"target_ahead": 2})]
)
def test_finds_targets_at_the_wrong_place(words: str, settings: dict[str, float]) -> None:
    evaluated = Loss("cross_entropy", "train.py:20", "eval", settings={"target_is_input": 0.03})
    losses = [Loss("cross_entropy", "train.py:9", settings=settings), evaluated]
    finding = metric_not_following(make_window(losses=losses))
    assert (finding.where.line, finding.severity, words in finding.title) == (9, "warning", True)
