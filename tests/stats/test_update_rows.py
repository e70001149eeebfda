"""Rows of one update by plain torch; the contract with the native kernel is tested beside that one."""

import math

import numpy as np
import torch

from stetho.stats.torch_kernel import hold, measure
from stetho.stats.update_rows import UpdateRows, sum_of_squares

SERIES, CALLS, COUNT, MEAN, RATIO = 0, 1, 2, 8, 12


def taken(rows):
    return np.frombuffer(rows.take()).reshape(-1, 13)


def test_a_row_comes_of_every_tensor():
    rows = UpdateRows(100)
    weights = [torch.full((3,), 2.0), torch.zeros(2)]
    rows.before([1, 2], weights)
    assert rows.add([3], [torch.ones(20_000)]) == 20_000.0
    rows.changes([4, 5], [weight.add_(1.0) for weight in weights])
    means = {row[SERIES]: row[MEAN] for row in taken(rows).tolist()}
    assert means == {1: 2.0, 2: 0.0, 3: 1.0, 4: 1.0, 5: 1.0}


def test_a_copy_serves_twice_and_a_sample_does_not():
    rows = UpdateRows(100)
    small, sampled = torch.ones(100), torch.arange(1000.0)
    rows.before([1, 2], [small, sampled])
    rows.changes([3, 4], [small.add_(1.0), sampled.add_(1.0)])
    counts = {row[SERIES]: (row[COUNT], row[MEAN]) for row in taken(rows).tolist()}
    assert counts == {1: (100, 1.0), 2: (1000, 499.5), 3: (100, 1.0), 4: (128, 1.0)}


def test_others_are_finished_together_with_them_and_those_of_one_series_put_together():
    rows = UpdateRows(100)
    weight = torch.full((3,), 2.0)
    rows.before([1], [weight])
    rows.changes([2], [weight.add_(1.0)])
    rows.join([7, 8, 7], [hold(torch.ones(2)), hold(torch.ones(1)), measure(torch.full((6,), 5.0))])
    table = {row[SERIES]: (row[CALLS], row[COUNT], row[MEAN], row[RATIO]) for row in taken(rows).tolist()}
    assert table[2] == (1, 3, 1.0, 0.5)
    assert table[7][:3] == (2, 8, 4.0)
    assert table[8][:3] == (1, 1, 1.0)
    assert rows.take() == b""


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


def test_squares_that_leave_the_range_of_the_type_are_told_all_the_same():
    rows = UpdateRows(100)
    for one in (3e30, 3e-30):
        assert math.isclose(rows.add([1], [torch.full((2,), one)]), 2 * one * one, rel_tol=1e-6)
