import numpy as np
import torch
from torch.utils.data import Dataset, Subset, get_worker_info

from stetho.capture.torch.feed.workers import own_generator, seeds_all_alike


class Noisy(Dataset):  # type: ignore[type-arg]
    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)

    def __getitem__(self, index: int) -> float:
        return self._draw(index)

    def _draw(self, index: int) -> float:
        return index + float(self.rng.normal())


class Prepared(Dataset):  # type: ignore[type-arg]
    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)
        self.rows = self.rng.normal(size=8)

    def __getitem__(self, index: int) -> float:
        return float(self.rows[index])


class Seeded(Noisy):
    def __getitem__(self, index: int) -> float:
        if get_worker_info() is not None:
            self.rng = np.random.default_rng(get_worker_info().seed)
        return self._draw(index)


def test_finds_a_generator_that_makes_samples() -> None:
    assert own_generator(Noisy()) == "rng"
    assert own_generator(Subset(Noisy(), [0])) == "dataset.rng"


def test_leaves_generators_that_make_no_samples_or_are_seeded_anew() -> None:
    assert own_generator(Prepared()) is None
    assert own_generator(Seeded()) is None
    assert own_generator([1, 2, 3]) is None


def test_tells_one_seed_for_all_from_one_for_each() -> None:
    def by_worker(_worker: int) -> None:
        np.random.seed(torch.initial_seed() % 2**32)

    assert seeds_all_alike(lambda _: np.random.seed(0))
    assert not seeds_all_alike(lambda worker: np.random.seed(worker))
    assert not seeds_all_alike(by_worker)
    assert not seeds_all_alike(lambda _: None)
    assert not seeds_all_alike(None)
