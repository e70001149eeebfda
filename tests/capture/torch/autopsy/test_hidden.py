"""What is given to nan_to_num is looked at, as long as somebody wants to know."""

import torch

from stetho.capture.guard import Guard
from stetho.capture.torch.autopsy.hidden import Hiding
from stetho.capture.torch.patches import Patches

BAD = torch.tensor([1.0, float("nan")])


def seen_in(call, *, wanted=True):
    hiding, patches = Hiding(Guard(lambda *_: None), lambda: wanted), Patches()
    hiding.install(patches)
    try:
        call()
    finally:
        patches.undo()
    return hiding.is_seen


def test_sees_nan_in_each_form_of_the_call():
    assert seen_in(lambda: torch.nan_to_num(BAD))
    assert seen_in(lambda: BAD.nan_to_num())
    assert seen_in(lambda: BAD.clone().nan_to_num_())


def test_passes_over_finite_values_and_what_nobody_wants():
    assert not seen_in(lambda: torch.nan_to_num(torch.ones(2)))
    assert not seen_in(lambda: torch.nan_to_num(BAD), wanted=False)
