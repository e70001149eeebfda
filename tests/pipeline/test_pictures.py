"""Tests of pictures: what is an image, a signal, a text, and what is none of these."""

from io import BytesIO

import numpy as np
import pytest
import torch
from PIL import Image

from stetho.pipeline.pictures import first_image, picture_of, shown


def pixels(picture):
    return np.asarray(Image.open(BytesIO(picture.png)))


@pytest.mark.parametrize(
    ("shape", "size"),
    [
        ((8, 9), (8, 9)),
        ((3, 8, 9), (8, 9)),
        ((8, 9, 3), (8, 9)),
        ((5, 3, 8, 9), (8, 36)),
        ((10, 8, 9), (8, 36)),
        ((3, 1000, 500), (200, 100)),
    ],
)
def test_arrays_that_are_images_are_drawn(shape, size):
    picture = picture_of(torch.rand(shape), "x")
    assert picture.kind == "image"
    assert (picture.height, picture.width) == size


def test_channels_come_last_and_numbers_between_zero_and_one_keep_their_brightness():
    image = torch.zeros(3, 8, 8)
    image[0] = 1.0
    assert pixels(picture_of(image / 2, "x"))[0, 0].tolist() == [128, 0, 0]


def test_other_ranges_are_stretched_and_holes_are_black():
    image = np.linspace(-2, 2, 64).reshape(8, 8)
    image[0, 0] = np.nan
    drawn = pixels(picture_of(image, "x"))
    assert (drawn[0, 0], drawn[-1, -1]) == (0, 255)


def test_signals_are_curves_of_their_lowest_and_highest_values():
    picture = picture_of(np.sin(np.linspace(0, 60, 5000)), "x")
    assert picture.kind == "curve"
    assert min(low for low, _ in picture.curve) < -0.99
    assert picture_of(np.zeros((2, 400)), "x").kind == "curve"


def test_token_ids_are_text_with_a_decoder_and_their_padding_is_marked():
    decode = lambda ids: "".join("_abc"[each] for each in ids)  # noqa: E731
    picture = picture_of([1, 2, 3, 0, 0], "ids", decode)
    assert (picture.text, picture.faded_from) == ("abc__", 3)
    assert picture_of([1, 2, 3], "ids") is None


def test_a_decoder_that_fails_says_so_in_the_picture():
    assert "IndexError" in picture_of([1, 99], "ids", lambda ids: "ab"[ids[1]]).text


def test_what_is_no_picture_is_told_as_text():
    look = shown(5, [("x", np.ones(4)), ("y", 3), ("image", np.zeros((9, 9)))])
    assert [name for name, _ in look.values] == ["x", "y"]
    assert look.pictures[0].title == "image"


def test_finds_the_image_in_the_output_of_a_transform():
    assert first_image(("path.png", torch.rand(3, 8, 8)), "Crop").title == "Crop"
    assert first_image(3, "x") is None


@pytest.mark.parametrize(("ids", "faded"), [([7, 5, 5], None), ([7, 0, 0], 1), ([7, 5, 5, 5], 1)])
def test_a_word_that_is_said_twice_at_the_end_is_no_padding(ids: list[int], faded: int | None) -> None:
    drawn = picture_of(np.array(ids), "text", lambda given: "x" * len(given))
    assert drawn is not None
    assert drawn.faded_from == faded


def test_time_runs_evenly_along_a_signal():
    rising = picture_of(np.linspace(0, 1, 400, dtype=np.float32), "x")
    assert rising is not None
    middles = [(low + high) / 2 for low, high in rising.curve]
    straight = np.linspace(middles[0], middles[-1], len(middles))
    assert np.abs(middles - straight).max() < 0.01
