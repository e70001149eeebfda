"""States that grow each time a recurrent weight is applied, as the check of exploding gradients tells them."""

import pytest

from stetho.checks.run.facts import Layer, Parameter
from stetho.checks.signal.exploding_gradient import exploding_gradient
from stetho.testing import make_window


def recurrent(size: float, kind: str = "nonlinearity=relu"):  # type: ignore[no-untyped-def]
    unlabelled = {"batch": {"label_counts": None}, "eval_batch": {"label_counts": None}}
    return make_window(
        layers=[Layer("rnn", "RNN", f"2, 16, {kind}", parameters=256)],
        parameters=[Parameter("rnn.weight_hh_l0", (16, 16), 256)],
        stats={("rnn.weight_hh_l0", "param.rms"): size},
        step={"loss": 1.0},
        **unlabelled,
    )


def test_finds_a_state_that_relu_does_not_bound() -> None:
    assert exploding_gradient(recurrent(1.9 / 4)).where.parameter == "rnn.weight_hh_l0"


def test_stays_quiet_on_a_usual_recurrent_weight_and_on_tanh() -> None:
    assert exploding_gradient(recurrent(1.4 / 4)) is None
    assert exploding_gradient(recurrent(1.9 / 4, "batch_first=True")) is None


@pytest.mark.parametrize(("gradient", "is_found"), [(50.0, True), (0.5, False)])
def test_finds_a_recurrence_written_by_hand(gradient: float, is_found: bool) -> None:
    recur = Parameter("recur", (24, 24), 576)
    stats = {("recur", "param.rms"): 0.38, ("recur", "grad.rms"): gradient}
    unknown = {"batch": {"label_counts": None}, "eval_batch": {"label_counts": None}}
    window = make_window(layers=[Layer("", "Counter")], parameters=[recur], stats=stats, **unknown)
    assert (exploding_gradient(window) is not None) == is_found
