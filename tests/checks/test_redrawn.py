import numpy as np

from stetho.checks.facts import Loader
from stetho.checks.redrawn import are_redrawn, sample_hashes
from stetho.testing import make_window


def test_samples_that_never_come_again_are_drawn_anew() -> None:
    window = make_window(loaders=[Loader(0, length=300)])
    assert are_redrawn(window, window.batches("train"))


def test_one_pass_over_the_data_tells_nothing() -> None:
    window = make_window()
    assert not are_redrawn(window, window.batches("train"))


def test_samples_that_come_again_are_not() -> None:
    window = make_window(loaders=[Loader(0, length=300)], batch={"samples": np.tile(np.arange(32), (60, 1))})
    assert not are_redrawn(window, window.batches("train"))


def test_nothing_is_known_without_samples_or_loader() -> None:
    assert sample_hashes(make_window(batch={"samples": None}).batches("train")).size == 0
    by_hand = make_window(batch={"loader": None})
    assert not are_redrawn(by_hand, by_hand.batches("train"))
