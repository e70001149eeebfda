"""Seeds that are the same for every sample."""

import random
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.utils.data import Subset

from stetho.capture.torch.feed.seeds import fixed_seed

SEED = 3


class Kept:
    def __init__(self, seed=0, transform=None):
        self.seed = seed
        self.transform = transform
        self.rows = np.random.default_rng(0).normal(size=8)


class Constant(Kept):
    def __getitem__(self, index):
        rng = np.random.default_rng(7)
        return index + rng.normal()


class OfTheModule(Kept):
    def __getitem__(self, index):
        torch.manual_seed(SEED)
        return index + torch.randn(1)


class OfTheObject(Kept):
    def __getitem__(self, index):
        return self._drawn(index)

    def _drawn(self, index):
        return index + torch.randn(1, generator=torch.Generator().manual_seed(self.seed))


class OfTheSample(Kept):
    def __getitem__(self, index):
        return np.random.default_rng(self.seed + index).normal()


class OfTheEpoch(OfTheObject):
    def set_epoch(self, epoch):
        self.seed = epoch


class OnlyForTests(Kept):
    def __getitem__(self, index):
        if self.transform is None:
            random.seed(0)
        return random.random() + index


class Plain(Kept):
    def __getitem__(self, index):
        return self.rows[index] + np.random.normal()


class Noise:
    def __call__(self, image):
        return image + random.Random(0).random()


@pytest.mark.parametrize("kind", [Constant, OfTheModule, OfTheObject])
def test_finds_a_seed_that_does_not_depend_on_the_sample(kind):
    line = fixed_seed(kind())
    assert line is not None
    assert line.startswith(__file__)


def test_names_the_line_and_looks_into_parts():
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    place = next(number for number, line in enumerate(lines, 1) if "default_rng(7)" in line)
    assert fixed_seed(Subset(Constant(), [0])) == f"{__file__}:{place}"
    assert fixed_seed(Plain(transform=Noise())) is not None
    assert fixed_seed(Plain(transform=[Noise()])) is not None


@pytest.mark.parametrize("kind", [OfTheSample, OfTheEpoch, OnlyForTests, Plain])
def test_leaves_seeds_of_samples_epochs_and_conditions(kind):
    assert fixed_seed(kind()) is None


def test_leaves_what_is_no_data_set():
    assert fixed_seed([1, 2, 3]) is None
    assert fixed_seed(None) is None
