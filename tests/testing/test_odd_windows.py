"""Odd windows are what their names say."""

import numpy as np

from stetho.testing import odd_windows


def test_nan_only_has_no_number() -> None:
    window = odd_windows()["NaN only"]
    stat = window.layer_stat("act.rms", "fc1")
    assert stat is not None
    assert np.isnan(window.steps["loss"]).all()
    assert np.isnan(stat.values).all()
    assert np.isnan(window.batches()["feature_mean"][0]).all()
    assert window.orders[0]


def test_constant_never_changes() -> None:
    window = odd_windows()["constant"]
    assert set(window.steps["loss"]) == {1.0}
    assert window.count == 60


def test_empty_holds_nothing() -> None:
    window = odd_windows()["empty"]
    assert (window.count, window.layers, window.batches().count) == (0, (), 0)


def test_only_facts_holds_no_numbers() -> None:
    window = odd_windows()["only facts"]
    assert window.layers
    assert window.layer_stat("act.rms", "fc1") is None
    assert (window.count, len(window.loss_series()), window.batches().count) == (0, 0, 0)
    assert window.metric("accuracy") is None
