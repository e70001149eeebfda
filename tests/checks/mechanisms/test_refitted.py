import numpy as np
import pytest

from stetho.checks.mechanisms.refitted import refitted
from stetho.checks.run.series import Array
from stetho.checks.run.table import Table

RNG = np.random.default_rng(0)


def batches(count: int, size: int, *, own: bool, features: int = 6) -> Table:
    drawn = RNG.normal(size=(count, size, features))
    if own:
        drawn = (drawn - drawn.mean(1, keepdims=True)) / drawn.std(1, keepdims=True) + 1e-8 * drawn
    return table(np.full(count, float(size)), drawn.mean(1), drawn.std(1))


def table(sizes: Array, means: Array, deviations: Array) -> Table:
    columns = {"feature_mean": lists(means), "feature_std": lists(deviations), "size": sizes}
    return Table(len(sizes), {name: lambda column=column: column for name, column in columns.items()})


def lists(rows: Array) -> Array:
    column = np.empty(len(rows), object)
    column[:] = list(rows)
    return column


TRAIN = batches(40, 32, own=False)


def test_finds_small_batches_that_are_standardised_each_by_itself() -> None:
    assert refitted(TRAIN, batches(20, 3, own=True)) == (
        "each batch of 3 is standardised by itself: 20 batches have mean 0 in every feature"
    )


@pytest.mark.parametrize(
    "other",
    [
        batches(20, 3, own=False),
        batches(3, 3, own=True),
        batches(20, 200, own=True),
        batches(20, 3, own=True, features=2),
        Table(0, {name: lambda: np.zeros(0) for name in ("size", "feature_mean", "feature_std")}),
    ],
)
def test_stays_quiet_on_random_samples_few_or_large_batches_and_few_features(other: Table) -> None:
    assert refitted(TRAIN, other) is None


def test_stays_quiet_where_training_does_the_same() -> None:
    assert refitted(batches(40, 8, own=True), batches(20, 8, own=True)) is None


def test_one_batch_that_comes_again_is_no_series_of_batches() -> None:
    mean, deviation = RNG.normal(size=(1, 6)) * 1e-9, np.ones((1, 6))
    again = table(np.full(20, 16.0), np.repeat(mean, 20, axis=0), np.repeat(deviation, 20, axis=0))
    assert refitted(TRAIN, again) is None
