"""What small random filters find anywhere in a picture or a signal: features that do not depend on the place.

A rule made of such features learns in no time what a small convolutional network would, as which way an arrow points.
The filters are the same in all runs, and nothing is drawn from the program's random numbers.
"""

import functools

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

Array = npt.NDArray[np.float64]
Pictures = npt.NDArray[np.float32]

FILTERS = 24
MOST_CHANNELS = {1: 16, 2: 4}
SIDES = {1: 96, 2: 24}
WIDTHS = {1: 9, 2: 5}
MOST_ELEMENTS = 1 << 16


def are_pictures(shape: tuple[int, ...]) -> bool:
    """Whether samples of a batch of this shape are pictures or signals, channels first, and not too large.

    >>> are_pictures((32, 3, 16, 16)), are_pictures((32, 16)), are_pictures((32, 3, 16, 4))
    (True, False, False)
    """
    axes = len(shape) - 2
    if axes not in WIDTHS or not 0 < shape[1] <= MOST_CHANNELS[axes]:
        return False
    return min(shape[2:]) > WIDTHS[axes] and int(np.prod(shape[1:])) <= MOST_ELEMENTS


def pooled(pictures: Pictures) -> Array:
    """For each sample, how much each filter finds at the best place, and on average over all places."""
    axes = pictures.ndim - 2
    width = WIDTHS[axes]
    for axis in range(2, pictures.ndim):
        pictures = _smaller(pictures, axis, SIDES[axes])
    windows = sliding_window_view(pictures, (width,) * axes, axis=tuple(range(2, pictures.ndim)))
    # Samples and places first, then what one window holds.
    places = np.moveaxis(windows, 1, axes + 1).reshape(len(pictures), -1, pictures.shape[1] * width**axes)
    found = np.maximum(places @ _filters(places.shape[2]), 0)
    return np.hstack([found.max(1), np.sqrt((found**2).mean(1))]).astype(np.float64)


def mirrored_ways(axes: int) -> list[tuple[int, ...]]:
    """The axes along which samples may be mirrored: rows, columns, or both.

    >>> mirrored_ways(2), mirrored_ways(1)
    ([(-1,), (-2,), (-2, -1)], [(-1,)])
    """
    return [(-1,), (-2,), (-2, -1)] if axes == 2 else [(-1,)]


def _smaller(pictures: Pictures, axis: int, most: int) -> Pictures:
    """Means over neighbours, so that a side has no more than so many places, and no fewer than a filter needs."""
    every = min(-(-pictures.shape[axis] // most), pictures.shape[axis] // (WIDTHS[pictures.ndim - 2] + 1))
    if every < 2:
        return pictures
    length = pictures.shape[axis] // every
    # From the middle, so that a mirrored picture is cut as the picture itself is.
    start = (pictures.shape[axis] - length * every) // 2
    kept = pictures[(slice(None),) * axis + (slice(start, start + length * every),)]
    return np.asarray(kept.reshape(*kept.shape[:axis], length, every, *kept.shape[axis + 1 :]).mean(axis + 1))


@functools.lru_cache(maxsize=8)
def _filters(size: int) -> npt.NDArray[np.float32]:
    drawn = np.random.default_rng(0).normal(size=(size, FILTERS))
    # How bright all is, is no shape.
    return np.asarray((drawn - drawn.mean(0)) / np.sqrt(size), np.float32)
