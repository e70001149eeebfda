"""Tests of PNG files: another reader sees the same pixels."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from stetho.pipeline.png import png


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_another_reader_sees_the_same_pixels(channels):
    pixels = np.random.default_rng(0).integers(0, 256, (5, 7, channels), dtype=np.uint8)
    read = np.asarray(Image.open(BytesIO(png(pixels))))
    assert read.reshape(pixels.shape).tolist() == pixels.tolist()
