import pytest

from stetho.checks.declare import Skip
from stetho.checks.model.future_visible import future_visible
from stetho.checks.run.facts import Between, Layer, Loss
from stetho.testing import make_window


def judged(axis=1, layers=None, **calls):
    loss = Loss("cross_entropy", line="train.py:31", settings={} if axis is None else {"target_next_along": axis})
    return future_visible(make_window(losses=[loss], layers=layers, probes={"calls": calls}))


def test_finds_a_model_that_sees_what_it_predicts():
    found = judged(future=0.4, future_along_first=0.0)
    assert found.severity == "error"
    assert "one position later" in found.title
    assert "0.4" in found.title


def test_follows_the_axis_of_the_positions():
    assert judged(axis=0, future=0.4, future_along_first=0.0) is None
    assert judged(axis=0, future=0.0, future_along_first=0.2) is not None


def test_names_the_layer_that_runs_both_ways():
    found = judged(layers={"emb": "Embedding(9, 4)", "rnn": "LSTM(4, 4, bidirectional=True)"}, future=0.4)
    assert found.where.layer == "rnn"


def test_names_the_line_of_attention_written_by_hand():
    layer = Layer("proj", "Linear", called="train.py:25", between=(Between("Softmax", (8, 4, 32, 32), dim=-1),))
    assert judged(layers=[layer], future=0.4).where.line == 25


def test_stays_quiet_on_a_causal_model():
    assert judged(future=0.0) is None
    assert judged(future=1e-5) is None


def test_is_skipped_when_targets_are_something_else():
    with pytest.raises(Skip, match="one position later"):
        judged(axis=None, future=0.9)


def test_is_skipped_without_an_experiment():
    with pytest.raises(Skip, match="compiles"):
        judged(skipped="the program compiles its model")


def test_follows_what_a_decoder_is_given_beside_the_first_input():
    loss = Loss("cross_entropy", line="train.py:31", settings={"target_next_along": 1, "target_next_of": 1})
    seen, hidden = ({"calls": {"future": 0.9, "future_of_1": moved}} for moved in (0.3, 0.0))
    assert future_visible(make_window(losses=[loss], probes=seen)) is not None
    assert future_visible(make_window(losses=[loss], probes=hidden)) is None


def test_names_the_decoder_and_not_the_encoder_beside_it():
    layers = [Layer("enc", "TransformerEncoder"), Layer("dec", "TransformerDecoder")]
    assert judged(layers=layers, future=0.4).where.layer == "dec"


@pytest.mark.parametrize(
    ("between", "line"),
    [
        pytest.param(Between("Softmax", (8, 4, 32, 32), dim=-1), 25, id="attention"),
        pytest.param(Between("Softmax", (32, 32), dim=-1), 31, id="as many classes as samples"),
        pytest.param(Between("Softmax", (8, 32, 10), dim=-1), 31, id="classes at every position"),
        pytest.param(Between("Tanh", (8, 4, 32, 32)), 31, id="no softmax"),
    ],
)
def test_knows_attention_by_the_shape_of_its_softmax(between, line):
    layer = Layer("proj", "Linear", called="train.py:25", between=(between,))
    found = judged(layers=[layer], future=0.4)
    assert found.where.line == line


def test_names_a_convolution_that_is_padded_on_both_sides():
    layers = {"lin": "Linear(4, 4, padding=1)", "conv": "Conv1d(4, 4, kernel_size=(3,), padding=(1,))"}
    assert judged(layers=layers, future=0.4).where.layer == "conv"
    assert judged(layers={"conv": "Conv1d(4, 4, kernel_size=(3,))"}, future=0.4).where.layer is None


def test_an_evaluation_alone_asks_nothing():
    loss = Loss("cross_entropy", line="train.py:31", phase="eval", settings={"target_next_along": 1})
    with pytest.raises(Skip, match="one position later"):
        future_visible(make_window(losses=[loss], probes={"calls": {"future": 0.9}}))
