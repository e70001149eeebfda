"""A run as arrays."""

import numpy as np

from stetho.comparing.runs.recorded import COMPARED, Recorded
from tests.comparing.trainings import Record


def test_an_offset_moves_all_steps(record: Record) -> None:
    side = Recorded(record(), offset=10)
    assert side.steps["step"].tolist() == [11, 12, 13]
    assert set(side.stats(11, 12)[0].tolist()) == {11, 12}
    assert side.measured_steps[0].tolist() == [11, 12, 13]
    assert [row["step"] for row in side.batches()] == [11, 12, 13]


def test_a_loss_that_is_nan_was_seen(record: Record) -> None:
    side = Recorded(record(loss=lambda o, _: o.sum() * float("nan")))
    assert np.isnan(side.steps["loss"]).all()
    assert side.steps["loss_seen"].all()


def test_measures_have_a_column_each(record: Record) -> None:
    steps, series, measures = Recorded(record()).stats(1, 3)
    assert measures.shape == (len(steps), len(COMPARED))
    assert len(steps) == len(series)


def test_a_parameter_belongs_to_its_layer(record: Record) -> None:
    side = Recorded(record())
    assert side.layer_of(0, "block.up.weight")["class"] == "Linear"
    assert side.layer_of(0, "head[logits]")["name"] == "head"
    assert side.layer_of(7, "head") == {}
