import numpy as np

from stetho.checks.evidence.redrawn import are_redrawn, never_come_again, sample_hashes
from stetho.checks.run.facts import Loader
from stetho.testing import make_window


def test_samples_that_never_come_again_are_drawn_anew() -> None:
    window = make_window(loaders=[Loader(0, length=300)])
    assert are_redrawn(window, window.batches("train"))


def test_one_pass_over_the_data_tells_nothing() -> None:
    window = make_window()
    assert not are_redrawn(window, window.batches("train"))


def test_samples_with_two_variants_each_are_drawn_anew() -> None:
    rng = np.random.default_rng(0)
    for variants, expected in ((1, False), (2, True)):
        samples = np.concatenate([rng.permutation(320) for _ in range(6)]).reshape(60, 32)
        samples = samples + 1000 * rng.integers(0, variants, samples.shape)
        window = make_window(loaders=[Loader(0, length=320, shuffled=True)], batch={"samples": samples})
        assert are_redrawn(window, window.batches("train")) is expected


def test_samples_in_order_are_compared_with_those_at_the_same_place() -> None:
    for length, expected in ((320, True), (1121, False)):
        window = make_window(loaders=[Loader(0, length=length, shuffled=False)])
        assert are_redrawn(window, window.batches("train")) is expected


def test_without_a_loader_many_samples_that_do_not_come_again_are_needed() -> None:
    long = make_window(steps=400, batch={"samples": np.arange(400 * 32).reshape(400, 32), "loader": None})
    assert never_come_again(long, long.batches("train"))
    again = make_window(steps=400, batch={"samples": np.arange(400 * 32).reshape(400, 32) % 640, "loader": None})
    assert not never_come_again(again, again.batches("train"))
    assert not never_come_again(make_window(), make_window().batches("train")), "a loader tells how many there are"


def test_samples_that_come_again_are_not() -> None:
    window = make_window(loaders=[Loader(0, length=300)], batch={"samples": np.tile(np.arange(32), (60, 1))})
    assert not are_redrawn(window, window.batches("train"))


def test_nothing_is_known_without_samples_or_loader() -> None:
    assert sample_hashes(make_window(batch={"samples": None}).batches("train")).size == 0
    by_hand = make_window(batch={"loader": None})
    assert not are_redrawn(by_hand, by_hand.batches("train"))
