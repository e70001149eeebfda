import pytest

from stetho.checks.declare import Skip
from stetho.checks.run.facts import Parameter
from stetho.checks.signal.vanishing_gradient import vanishing_gradient
from stetho.testing import make_window

DEEP = {f"fc{place}": "Linear(in_features=16, out_features=16, bias=True)" for place in range(6)}


def fading(factor: float) -> dict[tuple[str, str], float]:
    return {(f"fc{place}.weight", "grad.rms"): 0.1 * factor ** (5 - place) for place in range(6)}


def test_finds_a_gradient_that_fades_over_depth() -> None:
    finding = vanishing_gradient(make_window(layers=DEEP, stats=fading(0.05), step={"loss": 2.3}))
    assert finding.severity == "error"
    assert finding.where.parameter == "fc0.weight"


def test_is_a_note_when_the_loss_falls_all_the_same() -> None:
    assert vanishing_gradient(make_window(layers=DEEP, stats=fading(0.05))).severity == "note"


def test_stays_quiet_on_a_mild_fall() -> None:
    assert vanishing_gradient(make_window(layers=DEEP, stats=fading(0.5), step={"loss": 2.3})) is None


def test_stays_quiet_on_small_gradients_everywhere() -> None:
    small = dict.fromkeys(fading(1.0), 1e-12)
    assert vanishing_gradient(make_window(layers=DEEP, stats=small, step={"loss": 2.3})) is None


def test_stays_quiet_on_gradients_of_zero() -> None:
    assert vanishing_gradient(make_window(layers=DEEP, stats=fading(0.0) | {("fc5.weight", "grad.rms"): 0.0})) is None


def test_skips_shallow_models() -> None:
    with pytest.raises(Skip):
        vanishing_gradient(make_window())


def test_points_at_the_activation_that_flattens() -> None:
    layers = DEEP | {"squash": "Sigmoid()"}
    window = make_window(layers=layers, stats=fading(0.05), step={"loss": 2.3})
    assert vanishing_gradient(window).where.place == window.layer("squash").line
    plain = make_window(layers=DEEP, stats=fading(0.05), step={"loss": 2.3})
    assert vanishing_gradient(plain).where.place == plain.use_line(plain.layer("fc3"))


def test_finds_it_in_weights_that_no_layer_holds() -> None:
    shapes = [(8, 32), *[(32, 32)] * 4, (32, 1)]
    weights = [Parameter(f"w{n}", shape, 32, initialised="train.py:7") for n, shape in enumerate(shapes)]
    numbers = {(f"w{n}", "grad.rms"): 0.05 ** (5 - n) for n in range(6)} | {
        (f"w{n}", "param.rms"): 0.3 for n in range(6)
    }
    given = {"layers": {}, "parameters": weights, "stats": numbers, "step": {"loss": 2.3}}
    assert vanishing_gradient(make_window(**given)).where.line == 7
    lines = {"squashed": ["train.py:9"]}
    assert vanishing_gradient(make_window(**given, lines=lines)).where.line == 9
