import pytest

from stetho.checks.mechanisms.mirrored import mirrored
from stetho.testing import make_window

STRAIGHT, TURNED, CHANCE = [0.6, 0.05], [0.1, 0.6], [0.3, 0.2]


def judged(samples, share):
    turned = int(samples * share)
    order = [0] * (samples - turned) + [1] * turned
    series = {"straight": STRAIGHT, "turned": TURNED, "chance": CHANCE}
    found = {name: [values[each] for each in order] for name, values in series.items()}
    return mirrored(make_window(probes={"mirrored": {**found, "ways": ["left to right"] * samples}}))


def test_finds_pictures_that_are_flipped_without_their_targets():
    found = judged(64, 0.5)
    assert "50% of 64" in found.title
    assert "left to right" in found.title


@pytest.mark.parametrize(("samples", "share"), [(64, 0.0), (64, 0.1), (16, 0.5)])
def test_stays_quiet_on_few_and_on_pictures_that_fit(samples, share):
    assert judged(samples, share) is None


def test_stays_quiet_where_any_target_fits_as_well():
    found = {"straight": [0.1] * 64, "turned": [0.6] * 64, "chance": [0.7] * 64}
    assert mirrored(make_window(probes={"mirrored": found})) is None


def test_stays_quiet_without_pictures():
    assert mirrored(make_window()) is None
