"""Samples that are kept with their targets."""

import numpy as np
import torch

from stetho.capture.torch.feed.kept_samples import MOST_FEATURES, KeptSamples, described
from stetho.capture.torch.feed.pooled import FILTERS


def told(count=8, *tensors, mirrored=False):
    return described(tensors or (torch.arange(4.0 * count).reshape(count, 4),), count, mirrored=mirrored)


def test_each_sample_is_kept_once():
    kept = KeptSamples(100)
    for _ in range(2):
        kept.add(told(), np.zeros(8), 2)
    assert len(kept) == len(kept.all()[1]) == 8


def test_a_sample_with_another_target_is_another_sample():
    kept = KeptSamples(100)
    kept.add(told(), np.zeros(8), 2)
    kept.add(told(), np.ones(8), 2)
    assert len(kept) == 16


def test_no_more_are_kept_than_wanted_and_more_of_ids():
    kept, ids = KeptSamples(5), KeptSamples(5)
    kept.add(told(), np.zeros(8), 2)
    ids.add(told(8, torch.arange(8)), np.zeros(8), 2)
    assert len(kept) == 5
    assert not kept.wants_more
    assert ids.wants_more


def test_samples_of_another_kind_are_left_out():
    kept = KeptSamples(100)
    kept.add(told(), np.zeros(8), 2)
    kept.add(told(8, torch.rand(8, 9)), np.zeros(8), 2)
    kept.add(told(8, torch.rand(8, 4)), np.zeros(8), 0)
    assert len(kept) == 8


def test_ids_and_features_are_told_apart():
    found = told(6, torch.arange(6), torch.rand(6, 3), torch.arange(12).reshape(6, 2), torch.rand(5, 2))
    assert found.ids.shape == (6, 3)
    assert found.features.shape == (6, 3)


def test_tokens_are_counted():
    found = told(6, torch.randint(0, 9, (6, 20), generator=torch.Generator().manual_seed(0)))
    assert found.ids.shape[1] == 0
    assert (found.features.sum(1) == 20).all()


def test_pictures_have_features_for_every_way_to_mirror_them():
    pictures = torch.rand(6, 1, 12, 12, generator=torch.Generator().manual_seed(0))
    found = told(6, pictures, mirrored=True)
    assert found.mirrored.shape == (6, 3, found.features.shape[1])
    assert found.features.shape[1] <= MOST_FEATURES + 2 * FILTERS
    flipped = told(6, pictures.flip(-1))
    np.testing.assert_allclose(found.mirrored[:, 0], flipped.features)


def test_what_cannot_be_read_tells_nothing():
    assert told(3, torch.rand(4, 2)) is None
    assert told(3, torch.full((3, 2), float("nan"))) is None
