import pytest

from stetho.checks.mechanisms.given_away import given_away
from stetho.checks.model.future_visible import future_visible
from stetho.testing import make_window


def window(place, shape, samples=400, others=0.8):
    return make_window(probes={"copied": {"samples": samples, "place": place, "shape": shape, "others": others}})


@pytest.mark.parametrize(
    ("place", "shape", "words"),
    [([23, 0], [24, 1], "the last step of its input"), ([2], [7], "element 3 of 7 of its input")],
)
def test_finds_targets_among_their_inputs(place, shape, words):
    found = future_visible(window(place, shape))
    assert found.severity == "warning"
    assert words in found.title


def test_stays_quiet_on_an_earlier_step_on_few_samples_and_without_a_look():
    assert given_away(window([0, 0], [24, 1])) is None
    assert given_away(window([23, 0], [24, 1], samples=40)) is None
    assert given_away(make_window()) is None


def test_stays_quiet_where_nothing_else_tells_of_the_target():
    assert given_away(window([2], [7], others=0.1)) is None
    assert given_away(window([2], [7], others=0.3)) is not None
