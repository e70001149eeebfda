import pytest

from stetho.checks.declare import Skip
from stetho.checks.run.facts import Between, Layer, Loss
from stetho.checks.signal.samples_mixed import samples_mixed
from stetho.checks.window import Window
from stetho.testing import make_window


def window_with(settings: str, shape: str, kind: str = "LSTM") -> Window:
    return make_window(layers=[Layer("rnn", kind, settings, output=f"float32{shape}"), Layer("fc", "Linear")])


def test_finds_a_layer_that_runs_along_the_batch() -> None:
    finding = samples_mixed(window_with("8, 16, batch_first=False", "[32, 10, 16]"))
    assert (finding.severity, finding.where.layer) == ("error", "rnn")


def test_finds_attention_that_runs_along_the_batch() -> None:
    window = window_with("batch_first=False", "[32, 10, 16]", "MultiheadAttention")
    assert samples_mixed(window) is not None


def test_stays_quiet_on_sequences_that_come_first() -> None:
    assert samples_mixed(window_with("8, 16, batch_first=False", "[10, 32, 16]")) is None


def test_stays_quiet_on_batch_first() -> None:
    assert samples_mixed(window_with("8, 16, batch_first=True", "[32, 10, 16]")) is None


def test_stays_quiet_when_both_are_of_one_size() -> None:
    assert samples_mixed(window_with("8, 16, batch_first=False", "[32, 32, 16]")) is None


def test_skips_models_without_such_layers() -> None:
    for window in (make_window(), window_with("8, 16", "[32, 10, 16]"), window_with("batch_first=False", "[32, 16]")):
        with pytest.raises(Skip):
            samples_mixed(window)


def test_finds_a_softmax_over_the_batch() -> None:
    over_batch = Between("Softmax", (32, 6), dim=0, places=20.0)
    finding = samples_mixed(make_window(layers=[Layer("out", "Linear", between=(over_batch,))]))
    assert "over the 32 samples" in finding.title


def test_stays_quiet_on_a_softmax_over_places() -> None:
    over_places = Between("Softmax", (32, 6), dim=1, places=4.0)
    assert samples_mixed(make_window(layers=[Layer("out", "Linear", between=(over_places,))])) is None


@pytest.mark.parametrize(("evaluated", "is_found"), [((400, 24, 2), True), ((50, 400, 2), False)])
def test_with_labels_for_each_step_the_axis_that_changes_is_that_of_the_samples(evaluated, is_found) -> None:
    window = make_window(
        layers=[Layer("rnn", "GRU", "2, 8, batch_first=False", output="float32[50, 24, 8]"), Layer("fc", "Linear")],
        losses=[Loss("cross_entropy", target="int64[1200]")],
        batch={"size": 50, "shape": [[50, 24, 2]] * 60},
        eval_batch={"size": evaluated[0], "shape": [list(evaluated)] * 3},
    )
    assert (samples_mixed(window) is not None) == is_found


def test_points_at_the_softmax_over_the_batch() -> None:
    over_batch = Between("Softmax", (32, 6), dim=0, places=20.0)
    layers = [Layer("out", "Linear", called="net.py:9", between=(over_batch,))]
    given = {"net.py:9": {"softmax over samples": "net.py:7"}}
    assert samples_mixed(make_window(layers=layers, given=given)).where.line == 7
