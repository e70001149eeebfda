"""What a run was, from the recorded run alone."""

import math
from datetime import UTC, datetime
from typing import Any

import pytest

from stetho.views.summary import Curve, ModelFacts, summarize

from .conftest import ENDING

Record = Any


def test_holds_what_the_run_says(record: Record) -> None:
    summary = summarize(record())
    assert summary.name == "2026-11-15_19-40-27_train"
    assert summary.program == ("train.py", "--lr", "0.1")
    assert summary.started == datetime(2026, 11, 15, 19, 40, 27, tzinfo=UTC)
    assert (summary.state, summary.exit_kind, summary.exit_code) == ("finished", "finished", 0)
    assert (summary.steps, summary.epochs, summary.seconds) == (4, 2, 12.5)
    assert summary.steps_per_second == pytest.approx(2.0)
    assert summary.losses == {0: Curve(4.0, 1.0, 1.0, (4.0, 2.0, 4.0 / 3, 1.0))}
    assert (summary.learning_rates[0].first, summary.learning_rates[0].last) == (0.1, 0.025)
    assert summary.metrics == {"eval": {"accuracy": 0.5}, "train": {"accuracy": 0.75}, "user": {"score": 3.0}}
    assert summary.models == (ModelFacts("model", 3, 17, 13),)
    assert summary.tiers == {"full": 2, "cheap": 1, "clock": 1, "asleep": 0}
    assert (summary.overhead, summary.overhead_seconds) == (0.02, 0.25)
    assert summary.notes == ("compiled regions are recorded at their boundary",)
    assert summary.capture_error is None


def test_the_time_of_a_step_leaves_out_the_first(record: Record) -> None:
    times = summarize(record()).times
    assert times == pytest.approx(
        {"data": 0.15, "forward": 0.3, "backward": 0.6, "optimizer": 0.15, "ours": 0.075, "rest": 0.225}
    )


def test_the_memory_peak_counts_what_children_do_not_share(record: Record) -> None:
    assert summarize(record()).memory_peak == (4 << 20) + (2 << 20)


def test_a_run_without_steps_is_a_run(record: Record) -> None:
    summary = summarize(record(steps=0, model={}))
    assert (summary.steps, summary.epochs, summary.steps_per_second) == (0, None, None)
    assert summary.losses == {}
    assert summary.learning_rates == {}
    assert summary.times == {}
    assert summary.memory_peak is None
    assert summary.models == ()


def test_a_run_without_an_end_goes_as_far_as_its_last_step(record: Record) -> None:
    summary = summarize(record(ending=None))
    assert summary.state == "killed"
    assert summary.seconds == 3.0
    assert summary.exit_kind is None


def test_each_optimizer_has_its_own_loss(record: Record) -> None:
    rows = [{"step": step, "optimizer": step % 2, "loss": float(step)} for step in range(6)]
    losses = summarize(record(rows=rows)).losses
    assert {optimizer: (curve.first, curve.last) for optimizer, curve in losses.items()} == {0: (0, 4), 1: (1, 5)}


def test_each_optimizer_has_its_own_rate(record: Record) -> None:
    rows = [{"step": step, "optimizer": step % 2, "lr": 0.3 if step % 2 else 25.0} for step in range(6)]
    rates = summarize(record(rows=rows)).learning_rates
    assert {optimizer: (curve.first, curve.last) for optimizer, curve in rates.items()} == {0: (25, 25), 1: (0.3, 0.3)}


def test_a_loss_that_became_nan_is_told_apart_from_one_that_was_not_seen(record: Record) -> None:
    rows = [{"step": 1, "loss": 1.0}, {"step": 2, "loss": math.nan}, {"step": 3, "loss": None}]
    (curve,) = summarize(record(rows=rows)).losses.values()
    assert curve.first == curve.lowest == 1.0
    assert math.isnan(curve.last)
    assert len(curve.points) == 2
    assert summarize(record(rows=rows[2:])).losses == {}


def test_a_long_curve_has_few_points(record: Record) -> None:
    rows = [{"step": step, "loss": float(step)} for step in range(1000)]
    (curve,) = summarize(record(rows=rows)).losses.values()
    assert len(curve.points) == 120
    assert list(curve.points) == sorted(curve.points)


def test_a_document_of_another_shape_is_no_error(record: Record) -> None:
    odd = {"exit": 3, "overhead": [], "metrics": {"train": 3, "eval": {"x": "NaN", "y": []}}, "seconds": "long"}
    model = {"models": [3, {"layers": "x", "parameters": [{"count": "many"}, 3]}]}
    summary = summarize(record(ending=odd | {"capture_error": "Traceback\nValueError: x\n"}, model=model, command="x"))
    assert summary.exit_kind is None
    assert summary.program == ()
    assert summary.capture_error == "ValueError: x"
    assert summary.models == (ModelFacts("model", 0, 0, 0),)
    assert math.isnan(summary.metrics["eval"]["x"])
    assert summary.seconds == 3.0


def test_seconds_are_free_only_where_they_explain_what_watching_took(record: Record) -> None:
    options = {"budget": 0.05, "grace_seconds": 5.0, "every": None}
    for share, seconds, worked, every, free in (
        (0.3, 4.0, 3.9, None, 5.0),
        (0.04, 4.0, 3.9, None, None),
        (0.3, 9.0, 3.9, None, 5.0),
        (0.3, 9.0, 5.1, None, None),
        (0.3, 9.0, None, None, None),
        (0.3, 4.0, 3.9, 1, None),
    ):
        ending = ENDING | {"overhead": {"share": share, "seconds": seconds, "worked": worked}}
        run = record(ending=ending, options=options | {"every": every})
        assert summarize(run).free_seconds == free
