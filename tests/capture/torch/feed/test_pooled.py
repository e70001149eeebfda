"""Features of pictures and signals that do not depend on the place."""

import numpy as np
import pytest

from stetho.capture.torch.feed.pooled import FILTERS, are_pictures, mirrored_ways, pooled


def marked(place, side=20, axes=2):
    picture = np.zeros((1, 1, *(side,) * axes))
    picture[0, 0, ..., place] = 1.0
    return picture


def test_what_is_moved_is_the_same():
    np.testing.assert_allclose(pooled(marked(8)), pooled(marked(11)), rtol=1e-5)


def test_a_shape_and_its_mirror_image_differ():
    step = np.zeros((1, 1, 20, 20))
    step[..., 8], step[..., 9] = 1.0, 0.5
    assert np.abs(pooled(step) - pooled(np.flip(step, -1))).max() > 0.05


def test_brightness_is_no_shape():
    np.testing.assert_allclose(pooled(marked(8) + 7.0), pooled(marked(8)), atol=1e-4)


@pytest.mark.parametrize("shape", [(3, 2, 300), (3, 3, 70, 33), (3, 1, 6, 200)])
def test_all_sizes_give_as_many_features(shape):
    assert pooled(np.ones(shape)).shape == (3, 2 * FILTERS)


def test_a_mirrored_large_picture_has_the_features_of_a_mirrored_small_one():
    drawn = np.random.default_rng(1).normal(size=(2, 1, 51, 51))
    twice = np.flip(np.flip(drawn, -1), -1)
    np.testing.assert_allclose(pooled(twice), pooled(drawn))


@pytest.mark.parametrize("shape", [(4, 9), (4, 40, 16, 16), (4, 1, 5, 16), (4, 3, 600, 600), (4, 1, 8, 8, 8)])
def test_other_inputs_are_no_pictures(shape):
    assert not are_pictures(shape)


def test_signals_are_mirrored_in_time_alone():
    assert mirrored_ways(1) == [(-1,)]
