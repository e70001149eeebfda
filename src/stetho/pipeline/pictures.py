"""Values to look at: arrays that are images or signals, and token ids as text."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from stetho.pipeline.arrays import Array, as_array
from stetho.pipeline.describing import described
from stetho.pipeline.facts import Key, Picture, Shown
from stetho.pipeline.leaves import leaves
from stetho.pipeline.png import png

LEAST_SIDE = 5
"""Fewer pixels than this are a table of numbers and not an image."""
LARGEST_SIDE = 224
MOST_TILES = 4
LEAST_SIGNAL = 32
MOST_LANES = 4
STRETCHES = 240
CHANNELS = (1, 3, 4)
LONGEST_TEXT = 600

USUAL_FILLERS = (0, 1, -100)
Decode = Callable[[Any], Any]


def shown(key: Key, found: Sequence[tuple[str, Any]], decode: Decode | None = None) -> Shown:
    """A sample to look at.

    >>> look = shown(3, [("image", np.zeros((8, 8))), ("label", 2)])
    >>> [picture.title for picture in look.pictures], look.values
    (['image'], (('label', '2'),))
    """
    pictures: list[Picture] = []
    values: list[tuple[str, str]] = []
    for name, value in found:
        drawn = picture_of(value, name, decode)
        if drawn is not None:
            pictures.append(drawn)
        else:
            values.append((name, described(value)))
    return Shown(key, tuple(pictures), tuple(values))


def picture_of(value: Any, title: str, decode: Decode | None = None) -> Picture | None:
    """The picture of one value; None for what is better told as text."""
    if isinstance(value, str):
        return Picture("text", title, text=value[:LONGEST_TEXT])
    array = as_array(value)
    if array is None or array.size == 0:
        return None
    if array.dtype.kind in "iu" and array.ndim == 1:
        return _tokens(array, title, decode)
    image = _image(array)
    if image is not None:
        pixels = _pixels(image)
        return Picture("image", title, png(pixels), pixels.shape[1], pixels.shape[0])
    return _signal(array, title)


def first_image(value: Any, title: str) -> Picture | None:
    """The first image or signal in a value of any make, such as the output of a transform."""
    drawn = (picture_of(leaf, title) for _, leaf in leaves(value) if not isinstance(leaf, str))
    return next((each for each in drawn if each is not None and each.kind != "text"), None)


def _tokens(array: Array, title: str, decode: Decode | None) -> Picture | None:
    if decode is None or array.size < 2:
        return None
    text = str(_decoded(decode, array.tolist()))
    same = int(np.argmax(array[::-1] != array[-1])) if (array != array[-1]).any() else 0
    # A word that is said twice at the end is no padding, unless it is one of the first of the vocabulary.
    is_padded = same > (1 if array[-1] in USUAL_FILLERS else 2)
    kept = len(str(_decoded(decode, array[: array.size - same].tolist()))) if is_padded else None
    return Picture("text", title, text=text[:LONGEST_TEXT], faded_from=kept)


def _decoded(decode: Decode, ids: list[int]) -> Any:
    try:
        return decode(ids)
    except Exception as error:  # the user's own function, given what it may not know
        return f"(the decoder failed: {type(error).__name__}: {error})"


def _image(array: Array) -> Array | None:
    """Height, width, channels of what can be seen as an image; frames and slices side by side."""
    shape = array.shape
    if array.ndim == 2 and min(shape) >= LEAST_SIDE and max(shape) <= 64 * min(shape):
        return array[:, :, None]
    if array.ndim == 3:
        if shape[-1] in CHANNELS and min(shape[:2]) >= LEAST_SIDE:
            return array
        if min(shape[1:]) < LEAST_SIDE:
            return None
        if shape[0] in CHANNELS:
            return np.moveaxis(array, 0, -1)
        chosen = np.linspace(0, shape[0] - 1, min(shape[0], MOST_TILES)).astype(int)
        return np.concatenate([array[place][:, :, None] for place in chosen], axis=1)
    if array.ndim == 4:
        chosen = np.linspace(0, shape[0] - 1, min(shape[0], MOST_TILES)).astype(int)
        tiles = [tile for tile in map(_image, (array[place] for place in chosen)) if tile is not None]
        return np.concatenate(tiles, axis=1) if tiles else None
    return None


def _pixels(image: Array) -> Any:
    step = max(1, -(-max(image.shape[0], image.shape[1] // MOST_TILES) // LARGEST_SIDE))
    small = image[::step, ::step].astype(np.float64)
    if image.dtype.kind == "b" or (image.dtype.kind == "f" and _is_within(small, 0, 1)):
        small = small * 255
    elif image.dtype != np.uint8:
        finite = small[np.isfinite(small)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        small = (small - low) / ((high - low) or 1.0) * 255
    return np.nan_to_num(small, nan=0.0, posinf=255, neginf=0).clip(0, 255).round().astype(np.uint8)


def _is_within(array: Array, low: float, high: float) -> bool:
    finite = array[np.isfinite(array)]
    return bool(finite.size and finite.min() >= low and finite.max() <= high)


def _signal(array: Array, title: str) -> Picture | None:
    """The curve of a sequence of numbers, or of the first lane of a few."""
    if array.ndim == 2 and min(array.shape) <= MOST_LANES:
        array = array[0] if array.shape[0] <= array.shape[1] else array[:, 0]
    if array.ndim != 1 or array.size < LEAST_SIGNAL or array.dtype.kind != "f":
        return None
    finite = np.nan_to_num(array.astype(np.float64), posinf=0, neginf=0)
    count = min(STRETCHES, finite.size)
    # Not `array_split`, whose first stretches are the longer ones: time would run faster there.
    stretches = np.split(finite, np.arange(1, count) * finite.size // count)
    return Picture("curve", title, curve=tuple((float(each.min()), float(each.max())) for each in stretches))
