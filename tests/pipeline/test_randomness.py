"""Tests of randomness: the caller's random state is as before."""

import random

import numpy as np
import torch

from stetho.pipeline.randomness import random_state_kept, seed_all


class Noisy:
    def __init__(self):
        self.rng, self.old = np.random.default_rng(1), np.random.RandomState(2)
        self.parts = [random.Random(3), torch.Generator().manual_seed(4)]
        self.itself = self


def draws(noisy):
    return (
        random.random(),
        np.random.rand(),
        torch.rand(1).item(),
        noisy.rng.random(),
        noisy.old.rand(),
        noisy.parts[0].random(),
        torch.rand(1, generator=noisy.parts[1]).item(),
    )


def test_global_generators_and_those_of_objects_are_put_back():
    noisy = Noisy()
    with random_state_kept([noisy]):
        inside = draws(noisy)
    assert draws(noisy) == inside


def test_they_are_put_back_after_an_error():
    state = torch.get_rng_state()
    try:
        with random_state_kept():
            torch.rand(1)
            raise KeyError
    except KeyError:
        pass
    assert torch.equal(torch.get_rng_state(), state)


def test_a_seed_makes_all_of_them_repeat():
    with random_state_kept():
        seed_all(5)
        first = random.random(), np.random.rand(), torch.rand(1).item()
        seed_all(5)
        assert (random.random(), np.random.rand(), torch.rand(1).item()) == first
