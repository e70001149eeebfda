"""Tests of torch's random state."""

import torch

from stetho.pipeline.torch.random_state import generator_state, seed_torch, torch_states


def test_the_state_is_put_back():
    put_back = torch_states()
    first = torch.rand(1)
    for each in put_back:
        each()
    assert torch.equal(torch.rand(1), first)


def test_only_generators_have_a_state():
    assert generator_state("text") is None


def test_seeding_repeats():
    put_back = torch_states()
    seed_torch(3)
    first = torch.rand(1)
    seed_torch(3)
    assert torch.equal(torch.rand(1), first)
    for each in put_back:
        each()
