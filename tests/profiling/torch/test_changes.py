"""Settings that can be tried, and that are put back."""

import pytest
import torch
from torch.utils.data import BatchSampler, DataLoader, IterableDataset, SequentialSampler

from stetho.capture.guard import Guard
from stetho.profiling.torch import changes
from stetho.profiling.torch.changes import proposals, rebuilt
from stetho.profiling.torch.loop import Loop
from stetho.profiling.units import Units


class Stream(IterableDataset):  # type: ignore[type-arg]
    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(range(6))


@pytest.fixture
def loop(guard: Guard) -> Loop:
    loop = Loop(guard, Units(0))
    loop.loader = DataLoader(range(8), batch_size=4)
    return loop


def settings(loop: Loop, **more: bool) -> list[str]:
    return [change.setting for change in proposals(loop, "cpu", cores=2, **more)]


def test_the_first_changes_nothing_and_the_riskiest_come_last(loop: Loop) -> None:
    tried = settings(loop, input_first=True)
    assert tried[:3] == ["as it is", "num_workers=1", "num_workers=2"]
    assert tried[-3:] == ["autocast to bfloat16", "batch_size=2", "batch_size=8"]
    assert "torch.set_num_threads(2)" in settings(loop, input_first=False)[1:3]


def test_without_a_loader_there_is_nothing_to_load_otherwise(loop: Loop) -> None:
    loop.loader = None
    assert not [setting for setting in settings(loop, input_first=True) if "workers" in setting or "batch" in setting]


def test_another_loader_stands_in_ends_an_epoch_and_begins_again(loop: Loop) -> None:
    change = next(each for each in proposals(loop, "cpu", cores=0, input_first=True) if each.setting == "batch_size=8")
    change.begin()
    assert loop.substitute is not None
    assert len(loop.substitute()) == 8
    with pytest.raises(StopIteration):
        loop.substitute()
    assert len(loop.substitute()) == 8
    change.end()
    assert loop.substitute is None


def test_a_precision_that_would_end_the_program_is_refused(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "fatal_signal", lambda _: "SIGILL")
    loop.loader = None
    change = proposals(loop, "cpu", cores=1, input_first=False)[-1]
    with pytest.raises(RuntimeError, match="ends a process with SIGILL on this machine"):
        change.begin()
    assert not torch.is_autocast_enabled("cpu")


def test_precision_and_threads_are_put_back(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "fatal_signal", lambda _: None)
    before = torch.get_num_threads(), torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")
    loop.loader = None
    for change in proposals(loop, "cpu", cores=2, input_first=False)[1:]:
        change.begin()
        during = torch.get_num_threads(), torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")
        assert during != before, change.setting
        change.end()
        assert before == (
            torch.get_num_threads(),
            torch.is_autocast_enabled("cpu"),
            torch.get_autocast_dtype("cpu"),
        )


def test_loaders_of_every_kind_can_be_built_again() -> None:
    own = DataLoader(range(6), batch_sampler=BatchSampler(SequentialSampler(range(6)), 3, drop_last=False))
    assert [len(batch) for batch in rebuilt(own, num_workers=0)] == [3, 3]
    assert [len(batch) for batch in rebuilt(DataLoader(Stream(), batch_size=2), batch_size=3)] == [3, 3]
    assert list(rebuilt(DataLoader(range(2), batch_size=None))) == [0, 1]


def test_large_batches_are_tried_in_half_of_their_bytes(loop: Loop) -> None:
    loop.loader = DataLoader([torch.ones(2)] * 4, batch_size=2)
    changes = proposals(loop, "cpu", cores=1, input_first=True, batch=torch.zeros(100_000))
    change = next(each for each in changes if each.setting == "num_workers=1, float16 between processes")
    change.begin()
    try:
        assert loop.substitute is not None
        batch = loop.substitute()
    finally:
        change.end()
    assert (batch.dtype, batch.tolist()) == (torch.float32, [[1.0, 1.0]] * 2)
