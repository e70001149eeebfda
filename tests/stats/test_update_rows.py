"""Rows of one update by plain torch; the contract with the native kernel is tested beside that one."""

import math

import numpy as np
import torch

from stetho.stats.update_rows import UpdateRows, sum_of_squares

SERIES, COUNT, MEAN, RATIO = 0, 2, 8, 12


def taken(rows):
    return np.frombuffer(rows.take()).reshape(-1, 13)


def test_rows_come_in_the_order_of_the_calls():
    rows = UpdateRows(100)
    weights = [torch.full((3,), 2.0), torch.zeros(2)]
    rows.before([1, 2], weights)
    assert rows.add([3], [torch.ones(20_000)]) == 20_000.0
    rows.changes([4, 5], [weight.add_(1.0) for weight in weights])
    table = taken(rows)
    assert table[:, SERIES].tolist() == [1, 2, 3, 4, 5]
    assert table[:, MEAN].tolist() == [2.0, 0.0, 1.0, 1.0, 1.0]


def test_a_change_is_told_next_to_what_it_changed():
    rows = UpdateRows(100)
    rows.add([9], [torch.ones(4)])
    rows.before([1, 2], [torch.full((3,), 2.0), torch.zeros(2)])
    rows.changes([4, 5], [torch.full((3,), 3.0), torch.ones(2)])
    *others, first, second = taken(rows)[:, RATIO]
    assert all(math.isnan(each) for each in [*others, second])
    assert first == 0.5


def test_differences_can_be_looked_at_until_the_rows_are_taken():
    rows = UpdateRows(100)
    rows.before([1, 2], [torch.zeros(3), torch.zeros(2)])
    rows.changes([3, 4], [torch.ones(3), torch.ones(5)])
    assert [None if each is None else each.tolist() for each in rows.differences] == [[1.0, 1.0, 1.0], None]
    assert taken(rows)[:, COUNT].tolist() == [3, 2, 3]
    assert rows.differences == []


def test_nothing_is_left_after_clearing():
    rows = UpdateRows(100)
    rows.before([1], [torch.zeros(3)])
    rows.clear()
    assert rows.take() == b""


def test_plain_torch_has_no_quick_sum_of_squares_of_other_tensors():
    assert sum_of_squares([torch.ones(3)]) is None


def test_the_sum_of_squares_is_told_where_all_values_are_here_and_finite():
    rows = UpdateRows(100)
    assert rows.before([1, 2], [torch.full((3,), 2.0), torch.ones(20_000)]) == 20_012.0
    assert rows.add([3], [torch.tensor([1.0, -3.0])]) == 10.0
    assert math.isnan(rows.add([4], [torch.tensor([1.0, math.inf])]))
