"""What a check sees of a run."""

import numpy as np
import pytest

from stetho.checks.run.facts import Layer
from stetho.checks.run.series import Series
from stetho.checks.window import Author
from stetho.findings.finding import Steps, Where
from stetho.testing import make_window


def test_steps_are_columns_and_orders_are_words() -> None:
    window = make_window(steps=2, order=["zero_grad forward backward step", "forward step"])
    assert window.count == 2
    assert window.orders == [["zero_grad", "forward", "backward", "step"], ["forward", "step"]]


def test_the_last_step_is_not_the_number_of_steps_that_were_looked_at() -> None:
    window = make_window(steps=3, step={"step": [1, 2, 900]})
    assert (window.count, window.last_step) == (3, 900)


def test_an_order_that_was_not_recorded_is_empty() -> None:
    assert make_window(steps=1, step={"order": None}).orders == [[]]


def test_a_stat_is_found_by_layer_or_by_name() -> None:
    window = make_window(stats={("fc1", "act.rms"): 7.0})
    by_name, by_layer = window.layer_stat("act.rms", "fc1"), window.layer_stat("act.rms", window.layers[0])
    assert by_name is not None
    assert by_layer is not None
    assert by_name.last == by_layer.last == 7.0


def test_a_name_alone_means_the_first_model_that_has_it() -> None:
    layers = [Layer("fc", "Linear", model=2), Layer("fc", "Linear", model=1)]
    window = make_window(layers=layers)
    assert window._key("act", "fc", "train") == (1, "fc", "act", "train")


def test_what_was_not_measured_is_none() -> None:
    window = make_window(stats={("fc1", "act.rms"): None})
    assert window.layer_stat("act.rms", "fc1") is None
    assert window.layer_stat("act.rms", "gone") is None
    assert window.parameter_stat("state.exp_avg.rms", "fc1.weight") is None
    assert window.histogram("act", "fc1") is None
    assert window.metric("bleu") is None


def test_derived_measures_come_from_the_measured_ones() -> None:
    window = make_window(stats={("fc1", "act.zeros"): 256.0, ("fc1", "act.nan"): 2.0, ("fc1", "act.inf"): 1.0})
    zeros, odd = window.layer_stat("act.zero_share", "fc1"), window.layer_stat("act.nonfinite", "fc1")
    assert zeros is not None
    assert odd is not None
    assert (zeros.last, odd.last) == (0.25, 3.0)


def test_batches_are_told_apart_by_phase_and_model() -> None:
    window = make_window(steps=40, batch={"model": [0, 1] * 20})
    assert (window.batches().count, window.batches("eval").count, window.batches(model=1).count) == (40, 2, 20)
    assert window.batches("eval")["training"].tolist() == [0.0, 0.0]
    assert window.batches() is window.batches()


def test_a_loss_that_is_nan_is_not_a_loss_that_is_missing() -> None:
    assert np.isnan(make_window(step={"loss": np.nan}).loss_series().last)
    assert len(make_window(step={"loss": None}).loss_series()) == 0


def test_losses_of_one_optimizer() -> None:
    window = make_window(steps=4, step={"optimizer": [0, 1, 0, 1], "loss": [1, 2, 3, 4]})
    assert window.loss_series(1).values.tolist() == [2, 4]
    assert window.loss_series(1).steps.tolist() == [2, 4]


def test_metrics_are_told_apart_by_phase() -> None:
    window = make_window(metrics={("f1", "eval"): Series(np.array([3]), np.array([0.5])), ("f1", "user"): 1.0})
    found = window.metric("f1")
    assert found is not None
    assert (found.steps.tolist(), found.last) == ([3], 0.5)
    assert len(window.metric("f1", "user") or ()) == 60


def test_a_finding_covers_the_whole_run_unless_told_otherwise() -> None:
    window = make_window(steps=30)
    assert window.finding("title").steps == Steps(1, 30, 30)
    assert window.finding("title", steps=(2, 5, 3)).steps == Steps(2, 5, 3)
    assert make_window(steps=0).finding("title").steps == Steps(0, 0, 0)


def test_a_finding_takes_a_place_in_either_form() -> None:
    window = make_window()
    assert window.finding("title", where="train.py:3").where == Where(file="train.py", line=3)
    assert window.finding("title", where=window.at(layer=window.layers[0])).where.layer == "fc1"
    assert window.finding("title").where == Where()


def test_evidence_becomes_plain_numbers_texts_and_short_series() -> None:
    found = make_window().finding(
        "title", share=np.float32(0.5), count=3, op="detach", loss=np.arange(640), few=[1, 2], is_cut=True
    )
    assert found.evidence["share"] == 0.5
    assert found.evidence["op"] == "detach"
    assert found.evidence["few"] == [1.0, 2.0]
    assert found.evidence["is_cut"] == 1.0
    assert len(found.evidence["loss"]) == 64
    assert {type(value) for value in found.evidence.values()} == {float, str, list}


def test_the_author_gives_what_the_finding_does_not() -> None:
    window = make_window().written_by(Author("a", "error", ("b",), "Do this."))
    found = window.finding("title")
    assert (found.check, found.severity, found.explains, found.try_next) == ("a", "error", ("b",), "Do this.")
    other = window.finding("title", severity="note", try_next="Do that.")
    assert (other.severity, other.try_next) == ("note", "Do that.")


def test_an_unknown_column_is_an_error() -> None:
    with pytest.raises(KeyError, match="no column 'lossy'"):
        make_window().steps["lossy"]


def test_a_layer_with_several_outputs_is_known_by_its_first() -> None:
    window = make_window(layers={"rnn": "GRU(8, 8)"}, stats={("rnn[0]", "act.rms"): 3.0, ("rnn", "act.rms"): None})
    window.series = frozenset(key for key in window.series if key[1] != "rnn")
    found = window.layer_stat("act.rms", window.layers[0])
    assert found is not None
    assert found.last == 3.0
