import pytest

from stetho.checks.declare import Skip
from stetho.checks.optimisation.odd_momentum import odd_momentum
from stetho.checks.run.facts import Group, Optimizer
from stetho.testing import make_window


def optimizer(**settings: object) -> Optimizer:
    return Optimizer(0, "SGD", "train.py:7", (Group({"lr": 0.1, **settings}),))


@pytest.mark.parametrize("settings", [{"momentum": 0.999}, {"betas": [0.999, 0.9]}, {"betas": [0.9, 0.1]}])
def test_finds_what_is_out_of_range(settings: dict[str, object]) -> None:
    finding = odd_momentum(make_window(optimizers=[optimizer(**settings)]))
    assert finding.where.line == 7


@pytest.mark.parametrize("settings", [{"momentum": 0.9}, {"betas": [0.5, 0.999]}, {"betas": [0.0, 0.9]}])
def test_stays_quiet_on_usual_values(settings: dict[str, object]) -> None:
    assert odd_momentum(make_window(optimizers=[optimizer(**settings)])) is None


def test_says_that_betas_are_exchanged() -> None:
    assert "the first is the larger" in odd_momentum(make_window(optimizers=[optimizer(betas=[0.999, 0.9])])).title


def test_skips_optimizers_without_momentum() -> None:
    with pytest.raises(Skip):
        odd_momentum(make_window(optimizers=[optimizer(momentum=0)]))


@pytest.mark.parametrize(("name", "value"), [("momentum", 0.999), ("betas", [0.999, 0.9])])
def test_points_at_where_it_is_written(name: str, value: object) -> None:
    given = {"train.py:7": {name: "train.py:1"}}
    assert odd_momentum(make_window(optimizers=[optimizer(**{name: value})], given=given)).where.line == 1
