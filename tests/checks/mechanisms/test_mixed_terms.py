import numpy as np

from stetho.checks.mechanisms.mixed_terms import summed_beside_averaged
from stetho.checks.run.facts import Loss
from stetho.testing import make_window

STEPS = np.arange(1, 61)
FALLING = 90.0 * 0.93**STEPS + 0.8
STILL = 1.1 - 0.002 * STEPS
LEARNT = 1.1 * 0.95**STEPS


def two_terms(small=STILL, factor: float = 1.0, reduction: str = "sum"):  # type: ignore[no-untyped-def]
    def call(name: str, values: np.ndarray, reduction: str, line: int) -> Loss:
        settings = {"values": values.tolist(), "value_steps": STEPS.tolist()}
        return Loss(name, f"train.py:{line}", input="float32[100]", reduction=reduction, settings=settings)

    terms = [call("mse_loss", FALLING, reduction, 33), call("cross_entropy", small, "mean", 34)]
    return summed_beside_averaged(make_window(losses=terms, step={"loss": (FALLING + factor * small).tolist()}))


def test_finds_a_summed_term_that_drowns_an_averaged_one() -> None:
    found = two_terms()
    assert found.where.line == 33
    assert "summed over 100 numbers" in found.title


def test_stays_quiet_where_both_are_learnt() -> None:
    assert two_terms(LEARNT) is None


def test_stays_quiet_where_terms_are_weighed_by_hand() -> None:
    assert two_terms(factor=50.0) is None


def test_stays_quiet_where_all_are_averaged_and_without_values() -> None:
    assert two_terms(reduction="mean") is None
    assert summed_beside_averaged(make_window()) is None
