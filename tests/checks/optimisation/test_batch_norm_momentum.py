import pytest

from stetho.checks.declare import Skip
from stetho.checks.optimisation.batch_norm_momentum import batch_norm_momentum
from stetho.testing import make_window

LINEAR = "Linear(in_features=8, out_features=8, bias=True)"


def layers(momentum: object) -> dict[str, str]:
    return {
        "fc": LINEAR,
        "norm": f"BatchNorm1d(8, eps=1e-05, momentum={momentum}, affine=True, track_running_stats=True)",
    }


def test_finds_statistics_that_never_arrive() -> None:
    finding = batch_norm_momentum(make_window(layers=layers(1e-4)))
    assert (finding.severity, finding.where.layer) == ("warning", "norm")
    assert "still the initial ones" in finding.title


def test_finds_statistics_of_the_last_batch() -> None:
    assert "last batch" in batch_norm_momentum(make_window(layers=layers(0.99))).title


def test_stays_quiet_on_usual_values() -> None:
    assert batch_norm_momentum(make_window(layers=layers(0.1))) is None


def test_stays_quiet_on_a_small_momentum_in_a_long_run() -> None:
    assert batch_norm_momentum(make_window(steps=1000, layers=layers(0.003))) is None


def test_statistics_arrive_in_steps_too_that_nobody_looked_at() -> None:
    seen = {"step": [*range(1, 60), 5000]}
    assert batch_norm_momentum(make_window(steps=60, layers=layers(0.003), step=seen)) is None


@pytest.mark.parametrize("momentum", [None, "None"])
def test_skips_models_without_a_momentum(momentum: object) -> None:
    with pytest.raises(Skip):
        batch_norm_momentum(make_window(layers=layers(momentum)))


def test_points_at_where_it_is_written() -> None:
    layers = {"norm": "BatchNorm1d(8, eps=1e-05, momentum=0.999, affine=True, track_running_stats=True)"}
    line = make_window(layers=layers).layer("norm").line
    assert (
        batch_norm_momentum(make_window(layers=layers, given={line: {"momentum=0.999": "net.py:99"}})).where.line == 99
    )
