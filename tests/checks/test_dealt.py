import pytest

from stetho.checks.dealt import dealt
from stetho.checks.facts import Layer
from stetho.testing import make_window

COLOUR = {"beside": 0.6, "dealt_beside": 0.35, "dealt_across": 0.2, "below": 0.9, "dealt_below": 0.3,
          "dealt_below_across": 0.35, "within_pixels": 0.93}  # fmt: skip


def judged(axes=4, channels=3, layer="Conv2d", **changed):
    found = {"model": 0.0, "axes": axes, "channels": channels, **COLOUR, **changed}
    return dealt(make_window(layers=[Layer("conv", layer, "3, 8, kernel_size=3")], probes={"dealt": found}))


def test_finds_pictures_whose_channels_came_last():
    assert "3 channels first" in judged().title
    assert judged(line="data.py:7").where.line == 7


def test_finds_grey_ones_by_their_rows():
    assert judged(beside=0.1, dealt_beside=0.3, within_pixels=0.0) is not None


def test_finds_signals():
    assert judged(axes=3, layer="Conv1d") is not None


@pytest.mark.parametrize(
    "changed",
    [
        {"dealt_below": 1.2},
        {"dealt_below_across": 0.8},
        {"dealt_beside": 0.7},
        {"layer": "Linear"},
        {"channels": 4},
        {"axes": 3, "layer": "Conv1d", "dealt_across": 0.6},
    ],
)
def test_stays_quiet_where_neighbours_are_alike_or_nobody_looks_at_them(changed):
    assert judged(**changed) is None


def test_stays_quiet_without_pictures():
    assert dealt(make_window()) is None
