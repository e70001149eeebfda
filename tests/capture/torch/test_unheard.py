"""No mode of the program hears operations of ours."""

import pytest
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from stetho.capture.guard import Guard
from stetho.capture.torch.unheard import among_ourselves, keep_unheard, unheard


class Operations(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.heard = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.heard.append(str(func))
        return func(*args, **(kwargs or {}))


class Functions(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.heard = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.heard.append(func.__name__)
        return func(*args, **(kwargs or {}))


@pytest.fixture
def guard():
    guard = Guard(lambda _, text: pytest.fail(text))
    keep_unheard(guard)
    return guard


@pytest.mark.parametrize("kind", [Operations, Functions])
def test_a_mode_hears_the_program_and_not_us(kind, guard):
    ours = guard.wrap("ours", lambda tensor: float((tensor * 2).sum()))
    with kind() as mode:
        theirs = torch.ones(3).exp()
        before = list(mode.heard)
        assert ours(theirs) == pytest.approx(6 * torch.e, rel=1e-3)
        assert mode.heard == before
        theirs.neg()
    assert len(mode.heard) == len(before) + 1


def test_a_mode_that_we_enter_behind_the_guard_stays(guard):
    mode = Operations()
    with Functions():
        guard.wrap("enter", mode.__enter__)()
        torch.ones(2).exp()
        guard.wrap("leave", lambda: mode.__exit__(None, None, None))()
    assert "aten.exp.default" in mode.heard
    assert torch._C._len_torch_dispatch_stack() == 0


def test_gradients_flow_through_what_is_done_unheard():
    weight = torch.ones(2, requires_grad=True)
    with Operations():
        unheard(lambda: (weight * 3).sum().backward())
    assert weight.grad.tolist() == [3.0, 3.0]


@pytest.mark.parametrize("kind", [Operations, Functions])
def test_a_mode_of_ours_hears_what_is_done_unheard_and_those_of_the_program_do_not(kind, guard):
    ours = Operations()

    def look():
        with among_ourselves(), ours:
            torch.ones(2).exp()

    with kind() as theirs:
        guard.wrap("look", look)()
        assert not theirs.heard
        torch.ones(2).neg()
    assert "aten.exp.default" in ours.heard
    assert any("neg" in name for name in theirs.heard)
    assert torch._C._len_torch_dispatch_stack() == torch._C._len_torch_function_stack() == 0


def test_after_a_look_of_ours_the_program_hears_none_of_the_rest(guard):
    def look():
        with among_ourselves():
            pass
        torch.ones(2).exp()

    with Operations() as theirs:
        guard.wrap("look", look)()
    assert not theirs.heard


def test_the_default_device_stays_among_ourselves():
    before = torch.get_default_device()
    torch.set_default_device("meta")
    try:
        with Functions() as theirs, among_ourselves():
            assert torch.ones(2).is_meta
        assert not theirs.heard
    finally:
        torch.set_default_device(None)
    assert torch.get_default_device() == before
