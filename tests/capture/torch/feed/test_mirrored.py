"""Pictures and their masks, the same way round or not."""

import pytest
import torch

from stetho.capture.torch.feed.mirrored import Mirrored

SIZE = 16


def blobs(count):
    generator = torch.Generator().manual_seed(1)
    yy, xx = torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")
    centre = torch.randint(2, SIZE - 2, (count, 2, 1, 1), generator=generator)
    mask = (yy - centre[:, 0]) ** 2 + (xx - centre[:, 1]) ** 2 <= 6
    return mask[:, None].float() + 0.2 * torch.randn(count, 1, SIZE, SIZE, generator=generator), mask


def seen(pictures, target, predicted=None):
    mirrored = Mirrored()
    mirrored.add((pictures,))
    mirrored.look(torch.zeros(1) if predicted is None else predicted, target)
    return mirrored.result()


def test_masks_of_their_pictures_fit_straight():
    pictures, mask = blobs(32)
    for target in (mask[:, None].float(), mask.long()):
        found = seen(pictures, target)
        assert min(found["straight"]) > 0.5


@pytest.mark.parametrize(("axes", "way"), [([3], "left to right"), ([2], "upside down"), ([2, 3], "turned by 180°")])
def test_pictures_that_were_flipped_alone_are_told(axes, way):
    pictures, mask = blobs(32)
    found = seen(pictures.flip(axes), mask.long())
    assert found["ways"].count(way) > 20
    assert min(found["turned"]) > 0.5


def test_a_quarter_turn_is_told():
    pictures, mask = blobs(32)
    for times, way in ((1, "turned by 90°"), (3, "turned by 270°")):
        assert seen(torch.rot90(pictures, times, (2, 3)), mask.long())["ways"].count(way) > 20


def test_chance_is_what_the_mask_of_another_picture_gives():
    found = seen(*blobs(32))
    assert sorted(found["chance"])[16] < 0.5


def test_answers_that_are_turned_back_say_nothing():
    pictures, mask = blobs(8)
    answer = torch.zeros(8, 1, SIZE, SIZE, requires_grad=True).flip(3)
    assert seen(pictures, mask[:, None].float(), answer) is None


def test_labels_and_other_shapes_are_not_looked_at():
    pictures, mask = blobs(8)
    for given, target in ((pictures, torch.zeros(8)), (pictures[:, 0], mask), (pictures, mask[:, :8, :8])):
        assert seen(given, target) is None
