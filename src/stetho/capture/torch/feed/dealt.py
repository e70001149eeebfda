"""Inputs for convolutions, channel by channel: are their elements in that order, or as of channels that come last?

Neighbours look alike. If elements look more alike at the distance that neighbours have where channels come last, also
across the border between two channels, then the axes were given other names and the elements stayed where they were.
"""

from torch import Tensor

from stetho.capture.text.rearranged import reshaped_at
from stetho.capture.torch.calls.leaves import first_tensor
from stetho.capture.torch.calls.passes import Place

MOST_LOOKS = 8
SAMPLES = 32
MOST_CHANNELS = 64
LEAST_PLACES = 8
MOST_ELEMENTS = 1 << 18


class Dealt:
    """How unlike elements are at the distances of both readings, on average over batches."""

    def __init__(self) -> None:
        self._looks: list[dict[str, float]] = []
        self._place: Place | None = None

    def add(self, model: int, args: object, place: Place | None = None) -> None:
        """A training pass of a model was given this, at a place of the program."""
        first = first_tensor(args)
        if first is None or len(self._looks) >= MOST_LOOKS or first.dim() not in (3, 4) or first.is_complex():
            return
        channels, last = first.shape[1], first.shape[-1]
        if len(first) == 0 or not 1 < channels <= MOST_CHANNELS or min(first.shape[2:]) < LEAST_PLACES:
            return
        rows = first.detach()[:SAMPLES].flatten(1)
        if rows.shape[1] * len(rows) > MOST_ELEMENTS:
            rows = rows[: max(MOST_ELEMENTS // rows.shape[1], 1)]
        rows, plane = rows.float(), rows.shape[1] // channels
        found = {"model": float(model), "channels": float(channels), "axes": float(first.dim())}
        found["across"] = float(len(rows) * channels * (channels - 1))
        places = {"beside": (1, None), "dealt_beside": (channels, None), "dealt_across": (channels, plane)}
        if first.dim() == 4:
            # Of a grey picture all channels are one: only rows tell.
            below = last * channels
            places |= {"below": (last, None), "dealt_below": (below, None), "dealt_below_across": (below, plane)}
            found["within_pixels"] = _within(rows, channels)
        for name, (distance, border) in places.items():
            found |= {name: _unlike(rows, distance, border), f"{name}_alike": _alike(rows, distance, border)}
        self._looks.append(found)
        self._place = self._place or place

    def result(self) -> dict[str, object] | None:
        """The means over the batches of the model that was seen first."""
        known = [look for look in self._looks if look.keys() == self._looks[0].keys() and _same(look, self._looks[0])]
        if not known:
            return None
        line = reshaped_at(self._place[0], int(known[0]["channels"])) if self._place is not None else None
        means = {name: sum(look[name] for look in known) / len(known) for name in known[0]}
        means["across"] *= len(known)
        return {**means, "line": line}


def _same(one: dict[str, float], other: dict[str, float]) -> bool:
    return all(one[name] == other[name] for name in ("model", "channels", "axes"))


def _unlike(rows: Tensor, distance: int, plane: int | None = None) -> float:
    """How far elements at a distance differ on average; only those on both sides of the border of a channel."""
    return _mean((rows[:, distance:] - rows[:, :-distance]).abs(), distance, plane)


def _alike(rows: Tensor, distance: int, plane: int | None = None) -> float:
    """The correlation of elements at a distance: noise in every element makes it smaller, at all distances alike."""
    apart = rows - rows.mean(1, keepdim=True)
    spread = float(apart.square().mean())
    return _mean(apart[:, distance:] * apart[:, :-distance], distance, plane) / max(spread, 1e-12)


def _mean(pairs: Tensor, distance: int, plane: int | None) -> float:
    """The mean over all pairs of elements; with a plane, over those on both sides of the border of a channel."""
    if plane is None:
        return float(pairs.mean())
    borders = range(plane, pairs.shape[1], plane)
    across = [pairs[:, max(border - distance, 0) : border] for border in borders]
    return float(sum(float(each.mean()) for each in across) / len(across)) if across else float("nan")


def _within(rows: Tensor, channels: int) -> float:
    """How far neighbours differ that would be channels of one pixel, by how far all do."""
    apart = (rows[:, 1:] - rows[:, :-1]).abs()
    pixels = apart[:, : apart.shape[1] // channels * channels].reshape(len(rows), -1, channels)
    return float(pixels[..., :-1].mean() / apart.mean().clamp_min(1e-12))
