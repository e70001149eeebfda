"""The framework's own profiler as events."""

import os

import torch

from stetho.profiling.events import BACKWARD_NODE
from stetho.profiling.torch.timeline import SILENCE, Timeline


def test_records_operations_and_the_backward_nodes_that_belong_to_them() -> None:
    timeline = Timeline()
    weight = torch.ones(4, 4, requires_grad=True)
    timeline.start()
    (weight @ weight).sum().backward()
    events = timeline.stop()
    forward = next(event for event in events if event.name == "aten::mm" and event.sequence >= 0)
    backward = next(event for event in events if event.name == f"{BACKWARD_NODE}MmBackward0")
    assert (forward.sequence, forward.thread) == (backward.sequence, backward.forward_thread)
    assert forward.start < forward.end <= backward.start
    assert SILENCE not in os.environ


def test_sees_that_somebody_else_profiles() -> None:
    ours, theirs = Timeline(), Timeline()
    assert not ours.is_taken
    theirs.start()
    try:
        assert ours.is_taken
        assert not theirs.is_taken
    finally:
        theirs.stop()


def test_what_was_never_started_has_no_events() -> None:
    assert Timeline().stop() == []
