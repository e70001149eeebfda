import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.run.facts import Parameter
from stetho.checks.run.series import Series
from stetho.checks.signal.constant_init import constant_init
from stetho.testing import make_window


def constant(value: float, *names: str) -> dict[tuple[str, str], object]:
    later = np.linspace(0, 0.1, 60)
    return {
        (name, stat): value + later * sign for name in names for stat, sign in (("param.min", -1), ("param.max", 1))
    }


def test_finds_zeros_in_all_layers() -> None:
    finding = constant_init(make_window(stats=constant(0.0, "fc1.weight", "fc2.weight")))
    assert finding.severity == "error"
    assert "2 of 2 weights" in finding.title


def test_any_other_constant_in_one_layer_is_a_warning() -> None:
    assert constant_init(make_window(stats=constant(0.1, "fc1.weight"))).severity == "warning"


def test_stays_quiet_on_zeros_in_the_last_layer() -> None:
    assert constant_init(make_window(stats=constant(0.0, "fc2.weight"))) is None


@pytest.mark.parametrize(("last", "is_found"), [(2.0, True), (-1.5, False)])
def test_matrices_outside_of_layers_count_where_the_loss_hardly_comes_down(last: float, is_found: bool) -> None:
    widths = Parameter("widths", (4, 2), 8)
    stats = constant(-2.3, "widths") | {("widths", "param.rms"): 2.3}
    window = make_window(stats=stats, parameters=[widths], step={"loss": np.linspace(2.3, last, 60)})
    assert (constant_init(window) is not None) == is_found


@pytest.mark.parametrize(
    ("shape", "last", "is_found"), [((4, 2), -1.5, False), ((4, 3), -1.5, True), ((4, 2), 2.0, True)]
)
def test_a_constant_beside_weights_of_its_shape_is_no_unit_of_its_own(
    shape: tuple[int, int], last: float, is_found: bool
) -> None:
    drawn = [Parameter("fc.mean", shape, 8), Parameter("fc.spread", (4, 2), 8)]
    stats = constant(-4.0, "fc.spread") | {("fc.mean", "param.min"): -1.0, ("fc.mean", "param.max"): 1.0}
    layers = {"fc": "DrawnLinear()", "out": "Linear(4, 1)"}
    window = make_window(layers=layers, stats=stats, parameters=drawn, step={"loss": np.linspace(2.3, last, 60)})
    assert (constant_init(window) is not None) == is_found


def test_stays_quiet_on_a_healthy_start() -> None:
    assert constant_init(make_window()) is None


def test_stays_quiet_on_a_single_layer_of_zeros() -> None:
    layers = {"fc1": "Linear(in_features=8, out_features=1, bias=True)"}
    assert constant_init(make_window(layers=layers, stats=constant(0.0, "fc1.weight"))) is None


@pytest.mark.parametrize(("user", "last", "is_found"), [("user", 0.0, True), ("user", 0.1, False), ("", 0.0, False)])
def test_finds_tables_that_never_leave_zero(user: str, last: float, is_found: bool) -> None:
    layers = {"item": "Embedding(50, 6)"} | ({user: "Embedding(40, 6)"} if user else {})
    values = np.linspace(0.0, last, 60)
    stats = {(f"{name}.weight", stat): values for name in layers for stat in ("param.min", "param.max", "param.rms")}
    found = constant_init(make_window(layers=layers | {"fc": "Linear(6, 1)"}, stats=stats))
    assert (found is not None) == is_found


def test_stays_quiet_when_the_first_step_was_not_measured() -> None:
    late = {key: Series(np.array([50]), np.array([0.0])) for key in constant(0.0, "fc1.weight", "fc2.weight")}
    assert constant_init(make_window(stats=late)) is None


def test_skips_models_without_weights() -> None:
    with pytest.raises(Skip):
        constant_init(make_window(layers={"relu": "ReLU()"}))
