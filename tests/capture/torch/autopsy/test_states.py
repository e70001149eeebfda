"""Random and precision states."""

import torch

from stetho.capture.torch.autopsy.states import autocast_state, random_states, set_random_states


def test_random_states_can_be_put_back():
    states = random_states()
    first = torch.rand(3)
    set_random_states(states)
    assert torch.equal(torch.rand(3), first)


def test_mixed_precision_is_seen():
    assert autocast_state() == ()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert autocast_state() == (("cpu", torch.bfloat16),)
