import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.run.facts import Between, Edge, Layer
from stetho.checks.signal.saturated_activation import saturated_activation
from stetho.testing import make_window

LINEAR = "Linear(in_features=8, out_features=8, bias=True)"


def layers(kind: str) -> dict[str, str]:
    return {"fc1": LINEAR, "bend": f"{kind}()", "fc2": LINEAR}


def test_finds_a_tanh_at_its_ends() -> None:
    finding = saturated_activation(
        make_window(layers=layers("Tanh"), stats={("bend", "act.rms"): 0.995}, step={"loss": 2.0})
    )
    assert (finding.severity, finding.where.layer) == ("error", "bend")


def test_finds_a_sigmoid_at_its_ends() -> None:
    stats = {("bend", "act.rms"): np.sqrt(0.499), ("bend", "act.mean"): 0.5}
    assert saturated_activation(make_window(layers=layers("Sigmoid"), stats=stats)) is not None


def test_finds_a_function_with_a_huge_input() -> None:
    window = make_window(
        layers={"fc1": LINEAR, "fc2": LINEAR}, edges=[Edge("fc1", "fc2", ("Tanh",))], stats={("fc1", "act.rms"): 40.0}
    )
    assert saturated_activation(window).where.layer == "fc1"


def test_is_a_note_when_the_loss_falls_far() -> None:
    window = make_window(
        layers=layers("Tanh"), stats={("bend", "act.rms"): 0.995}, step={"loss": np.geomspace(2, 0.01, 60)}
    )
    assert saturated_activation(window).severity == "note"


def test_stays_quiet_on_a_healthy_tanh() -> None:
    assert saturated_activation(make_window(layers=layers("Tanh"), stats={("bend", "act.rms"): 0.6})) is None


def test_stays_quiet_on_one_saturated_moment() -> None:
    rms = np.full(60, 0.6)
    rms[:5] = 0.999
    assert saturated_activation(make_window(layers=layers("Tanh"), stats={("bend", "act.rms"): rms})) is None


def test_skips_gates_and_ends_of_models() -> None:
    with pytest.raises(Skip):
        saturated_activation(make_window(layers={"fc1": LINEAR, "end": "Sigmoid()"}))
    gate = make_window(layers=layers("Sigmoid"), edges=[Edge("bend", "fc2", ("Mul",)), Edge("fc1", "bend")])
    with pytest.raises(Skip):
        saturated_activation(gate)


@pytest.mark.parametrize(("slope", "is_found"), [(1e-9, True), (0.07, False)])
def test_finds_a_gate_that_cannot_open(slope: float, is_found: bool) -> None:
    unknown = {"batch": {"label_counts": None}, "eval_batch": {"label_counts": None}}
    gate, after = Layer("gate", "Linear"), Layer("fc", "Linear", between=(Between("Sigmoid", (32, 8), slope=slope),))
    window = make_window(
        layers=[gate, after], edges=[Edge("gate", "fc", ("Sigmoid", "Mul", "Add"))], step={"loss": 2.0}, **unknown
    )
    try:
        found = saturated_activation(window)
    except Skip:
        found = None
    assert (found is not None) == is_found
