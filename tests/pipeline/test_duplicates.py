"""Tests of duplicates: equal samples are known, in one set and in two."""

import numpy as np
import torch

from stetho.pipeline.duplicates import Seen, fingerprints
from stetho.pipeline.leaves import leaves


def seen(*samples, keys=None):
    found = Seen()
    for key, sample in zip(keys or range(len(samples)), samples, strict=True):
        found.add(key, fingerprints(leaves(sample)))
    return found


def test_equal_inputs_with_other_labels_are_a_conflict():
    found = seen((torch.ones(3), 0), (torch.zeros(3), 0), (torch.ones(3), 1), (torch.zeros(3), 0)).duplicates()
    assert (found.extra, found.pairs) == (2, ((0, 2), (1, 3)))
    assert (found.conflicts, found.conflicting) == (1, ((0, 2),))


def test_what_a_sampler_draws_again_is_no_duplicate():
    assert seen([1, 2], [1, 2], keys=[5, 5]).duplicates().extra == 0


def test_texts_are_inputs_where_there_is_no_array():
    one = {"text": "a cat", "label": 1}
    assert seen(one, dict(one), {"text": "a dog", "label": 1}).duplicates().extra == 1


def test_objects_that_cannot_be_read_are_not_the_same_for_that():
    assert seen(object(), object()).duplicates().extra == 0
    assert seen([[1], [2, 3]], [[1], [2, 4]], [[1], [2, 3]]).duplicates().pairs == ((0, 2),)


def test_type_and_shape_tell_apart():
    assert seen(np.zeros(4), np.zeros((2, 2)), np.zeros(4, "float32")).duplicates().extra == 0


def test_two_sets_share_samples():
    one, two = seen([1, 2], [3, 4], [5, 6]), seen([9, 9], [3, 4], [3, 4])
    assert one.shared_with(two) == (1, ((1, 1),))
