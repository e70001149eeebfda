import numpy as np

from stetho.checks.mechanisms.pulled import pulled
from stetho.testing import make_window

NOISE = 0.1 * np.random.default_rng(0).normal(size=30)


def judged(near: float, far: float, **facts: object):  # type: ignore[no-untyped-def]
    pairs = {"pulled": list(near + NOISE), "pushed": list(far - NOISE), **facts}
    return pulled(make_window(probes={"pairs": pairs}))


def test_finds_distances_that_are_exchanged() -> None:
    assert "farther apart at the start (1.48" in judged(1.5, 1.0).title


def test_stays_quiet_on_pairs_as_they_should_be_or_hardly_differ() -> None:
    assert judged(1.0, 1.5) is None
    assert judged(1.02, 1.0) is None


def test_stays_quiet_on_pairs_that_are_chosen_by_their_distance_and_on_few() -> None:
    assert judged(1.5, 1.0, chosen=True) is None
    assert pulled(make_window(probes={"pairs": {"pulled": [2.0] * 4, "pushed": [1.0] * 4}})) is None
    assert pulled(make_window()) is None


def test_inputs_tell_where_the_model_does_not() -> None:
    inputs = {"pulled_inputs": list(5.0 + np.tile(NOISE, 2)), "pushed_inputs": list(4.5 + np.tile(NOISE, 2))}
    assert "in the inputs (4.99 " in judged(1.0, 1.0, **inputs).title
    assert judged(0.3, 1.0, **inputs) is None


def test_stays_quiet_on_a_difference_that_is_large_and_not_sure_or_sure_and_small() -> None:
    wide = 40 * NOISE
    unsure = {"pulled": list(1.5 + wide), "pushed": list(1.0 - wide)}
    assert pulled(make_window(probes={"pairs": unsure})) is None
    small = {"pulled": [10.1 + 0.001 * each for each in range(30)], "pushed": [10.0] * 30}
    assert pulled(make_window(probes={"pairs": small})) is None


def test_stays_quiet_on_inputs_as_they_should_be() -> None:
    inputs = {"pulled_inputs": list(4.5 + np.tile(NOISE, 2)), "pushed_inputs": list(5.0 + np.tile(NOISE, 2))}
    assert judged(1.0, 1.0, **inputs) is None


def test_what_is_learnt_is_judged_by_the_end_and_not_by_its_size() -> None:
    inputs = {"pulled_inputs": list(5.0 + np.tile(NOISE, 2)), "pushed_inputs": list(4.5 + np.tile(NOISE, 2))}
    assert judged(10.0, 30.0, **inputs) is None
