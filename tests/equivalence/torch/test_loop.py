"""Where a program is in its batches, when these are cut, merged or shared."""

import pytest
import torch

from stetho.equivalence.torch.loop import MERGED, RANK, SPLIT, Loop, LoopWay, NotPossible, gated

BATCHES = [torch.arange(7.0), torch.arange(2.0)]


def test_parts_of_a_batch_know_the_last() -> None:
    loop = Loop(LoopWay(SPLIT, 3))
    seen = [(len(part), loop.is_last) for part in loop.batches(iter(BATCHES))]
    assert seen == [(3, False), (2, False), (2, True), (1, False), (1, True)]
    loop.has_gradients = True
    assert loop.updated() == [3, 2, 2, 1, 1]
    assert loop.updated() == []
    assert not loop.has_gradients


def test_losses_of_parts_are_weighed() -> None:
    for recipe, expected in (("weighed by the share of samples", 3 / 7), ("added up as they are", 1.0)):
        loop = Loop(LoopWay(SPLIT, 3, recipe))
        next(loop.batches(iter(BATCHES)))
        weight = loop.weighed(torch.tensor(2.0))
        assert weight is not None
        assert weight.item() == pytest.approx(expected)
    assert Loop(LoopWay()).weighed(torch.tensor(2.0)) is None


def test_evaluation_gets_its_batches_whole() -> None:
    with torch.no_grad():
        assert [len(batch) for batch in Loop(LoopWay(SPLIT, 3)).batches(iter(BATCHES))] == [7, 2]


def test_each_process_gets_its_own_part() -> None:
    parts = [[len(part) for part in Loop(LoopWay(RANK, 2, rank=rank)).batches(iter(BATCHES))] for rank in (0, 1)]
    assert parts == [[4, 1], [3, 1]]


def test_merged_batches_come_as_often_as_before() -> None:
    assert [len(batch) for batch in Loop(LoopWay(MERGED, 2)).batches(iter(BATCHES))] == [9, 9]


def test_one_batch_again_and_again_is_not_cut() -> None:
    loop = Loop(LoopWay(SPLIT, 2))
    next(loop.batches(iter(BATCHES)))
    loop.used()
    with pytest.raises(NotPossible, match="again and again"):
        loop.used()


def test_what_holds_no_samples_is_not_cut() -> None:
    with pytest.raises(NotPossible, match="no tensor with samples"):
        next(Loop(LoopWay(SPLIT, 2)).batches(iter(["words"])))


def test_what_waits_for_the_last_part_does_nothing_before() -> None:
    loop = Loop(LoopWay(SPLIT, 2))
    step = gated(loop, lambda: "done")
    assert [step() for _ in loop.batches(iter(BATCHES[:1]))] == [None, "done"]
