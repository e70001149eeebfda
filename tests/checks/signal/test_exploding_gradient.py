import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.run.facts import Parameter
from stetho.checks.signal.exploding_gradient import exploding_gradient
from stetho.testing import make_window

DEEP = {f"fc{place}": "Linear(in_features=16, out_features=16, bias=True)" for place in range(6)}


def growing(factor: float, gradient: float) -> dict[tuple[str, str], float]:
    stats = {(f"fc{place}", "act.rms"): factor**place for place in range(6)}
    stats |= {(f"fc{place}", "act_grad.rms"): factor ** (5 - place) for place in range(6)}
    return stats | {(f"fc{place}.weight", "grad.rms"): gradient for place in range(6)}


def test_finds_growth_over_depth_in_the_first_step() -> None:
    finding = exploding_gradient(make_window(layers=DEEP, stats=growing(4.0, 50.0)))
    assert finding.severity == "error"
    assert "over 6 layers" in finding.title


def test_finds_growth_over_the_steps() -> None:
    finding = exploding_gradient(make_window(step={"grad_norm": np.geomspace(1, 1e6, 60)}))
    assert "over the steps" in finding.title


def test_stays_quiet_on_large_gradients_that_do_not_grow() -> None:
    assert exploding_gradient(make_window(layers=DEEP, stats=growing(1.0, 50.0))) is None


def test_stays_quiet_on_growth_with_small_gradients() -> None:
    assert exploding_gradient(make_window(layers=DEEP, stats=growing(4.0, 0.01))) is None


def test_stays_quiet_on_a_single_large_norm() -> None:
    norms = np.ones(60)
    norms[30] = 1e9
    assert exploding_gradient(make_window(step={"grad_norm": norms})) is None


def test_skips_runs_without_gradient_norms() -> None:
    with pytest.raises(Skip):
        exploding_gradient(make_window(step={"grad_norm": np.nan}))


def test_points_at_where_the_program_set_the_weights() -> None:
    shapes = [Parameter(f"fc{place}.weight", (16, 16), 256, initialised="net.py:5") for place in range(6)]
    window = make_window(layers=DEEP, stats=growing(4.0, 50.0), parameters=shapes)
    assert exploding_gradient(window).where.line == 5
    own = make_window(layers=DEEP, stats=growing(4.0, 50.0))
    assert exploding_gradient(own).where.place == own.use_line(own.layer("fc3"))
