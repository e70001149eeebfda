"""Pieces of a longer sequence, known by their memory."""

import torch

from stetho.capture.torch.probes.pieces import piece_of, what_was_before

LONG = torch.arange(2 * 30 * 3.0).view(2, 30, 3)


def goes_on(now, last, steps=1):
    return piece_of(now, 1 + steps).goes_on(piece_of(last, 1))


def test_pieces_of_rows_go_on_along_the_second_axis():
    assert goes_on(LONG[:, 5:10], LONG[:, :5]) == 1
    assert goes_on(LONG[:, 15:20], LONG[:, :5], steps=3) == 1


def test_time_may_come_first():
    assert goes_on(LONG.transpose(0, 1)[5:10], LONG.transpose(0, 1)[:5]) == 0


def test_other_places_and_other_tensors_do_not_go_on():
    assert goes_on(LONG[:, :5], LONG[:, 5:10]) is None
    assert goes_on(LONG[:, 10:15], LONG[:, :5]) is None
    assert goes_on(LONG.clone()[:, 5:10], LONG[:, :5]) is None
    assert goes_on(LONG[:, 5:9], LONG[:, :5]) is None


def test_whole_rows_one_after_the_other_are_no_pieces_of_rows():
    rows = torch.zeros(6, 5, 3)
    assert goes_on(rows[1:2], rows[:1]) == 0


def test_what_came_before_is_read_from_the_same_memory():
    before = what_was_before(LONG[:, 10:15], 1)
    assert torch.equal(before, LONG[:, :10])
    assert torch.equal(what_was_before(LONG.transpose(0, 1)[10:12], 0), LONG.transpose(0, 1)[:10])
    assert what_was_before(LONG[:, 2:7], 1) is None
    assert what_was_before(torch.zeros(2, 100)[:, 90:91], 1).shape == (2, 8)
