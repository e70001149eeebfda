"""Numbers that two ids tell together."""

import numpy as np

from stetho.capture.torch.feed.factors import Factors


def ratings(count=3000, users=40, items=30):
    drawn = np.random.default_rng(0)
    one, other = drawn.integers(0, users, count), drawn.integers(0, items, count)
    tastes, kinds = drawn.normal(size=(users, 2)), drawn.normal(size=(items, 2))
    return one, other, (tastes[one] * kinds[other]).sum(1) + 0.1 * drawn.normal(size=count)


def test_what_two_ids_tell_together_holds_for_other_pairs():
    one, other, rating = ratings()
    said = Factors(one[:2000], other[:2000], rating[:2000]).answers(one[2000:], other[2000:])
    assert np.corrcoef(said, rating[2000:])[0, 1] > 0.95


def test_what_they_do_not_tell_does_not():
    one, other, rating = ratings()
    rating = np.random.default_rng(1).permutation(rating)
    said = Factors(one[:2000], other[:2000], rating[:2000]).answers(one[2000:], other[2000:])
    assert abs(np.corrcoef(said, rating[2000:])[0, 1]) < 0.1


def test_nothing_is_said_of_unknown_ids():
    said = Factors(np.array([1, 1, 2]), np.array([5, 6, 5]), np.array([1.0, -1.0, 2.0])).answers(
        np.array([9, 1]), np.array([5, 5])
    )
    assert said[0] == 0.0 != said[1]


def test_constant_numbers_are_no_trouble():
    assert Factors(np.array([1, 2]), np.array([1, 2]), np.zeros(2)).answers(np.array([1]), np.array([1])) == 0.0
