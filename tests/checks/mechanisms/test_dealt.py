import pytest

from stetho.checks.mechanisms.dealt import dealt
from stetho.checks.run.facts import Layer
from stetho.testing import make_window

COLOUR = {"beside": 0.6, "dealt_beside": 0.35, "dealt_across": 0.2, "below": 0.9, "dealt_below": 0.3,
          "dealt_below_across": 0.35, "within_pixels": 0.93}  # fmt: skip


NOISY = {"beside": 0.78, "dealt_beside": 0.6, "below": 0.8, "dealt_below": 0.6, "dealt_below_across": 0.6,
         "below_alike": 0.05, "dealt_below_alike": 0.4, "dealt_below_across_alike": 0.35, "across": 9000}  # fmt: skip


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


def test_finds_noisy_ones_by_their_correlations():
    assert judged(**NOISY) is not None
    assert judged(axes=3, layer="Conv1d", dealt_across=0.6, beside_alike=0.1, dealt_beside_alike=0.5,
                  dealt_across_alike=0.4, across=9000) is not None  # fmt: skip


@pytest.mark.parametrize("changed", [{"below_alike": 0.2}, {"dealt_below_across_alike": 0.05}, {"across": 50}])
def test_stays_quiet_where_correlations_are_those_of_neighbours_or_of_chance(changed):
    assert judged(**NOISY | changed) is None


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
