import numpy as np
import pytest

from stetho.checks.mechanisms.twins import MEASURES, Twins, separated_twins
from stetho.checks.run.series import Series
from stetho.testing import make_window

LINEAR = "Linear(in_features=8, out_features=4)"
TOWERS = {"left.0": LINEAR, "right.0": LINEAR}
EDGES = [("(input)", "left.0"), ("(input)", "right.0")]


def twins(layers=TOWERS, *, start=0.5, last=0.9, since=1, mean=0.1, std=1.0, edges=EDGES, without=()) -> Twins | None:
    """Two layers: the second begins at `start`, ends at `last` and first puts out values with `mean` and `std`."""
    later = Series(np.arange(since, since + 60), np.linspace(start, last, 60))
    one, *others = layers
    stats = {(f"{one}.{kind}", stat): np.linspace(0.5, 0.6, 60) for kind in ("weight", "bias") for stat in MEASURES}
    stats |= {(one, "act.mean"): 0.0, (one, "act.std"): 1.0}
    for other in others:
        both = (f"{other}.{kind}" for kind in ("weight", "bias"))
        stats |= {(name, stat): later for name in both for stat in MEASURES}
        stats |= {(other, "act.mean"): mean, (other, "act.std"): std}
    window = make_window(layers=layers, stats=stats, edges=edges)
    window.series = frozenset(key for key in window.series if key[2] not in without)
    return separated_twins(window)


def test_finds_two_that_begin_equal_and_go_separate_ways():
    found = twins()
    assert (found.one.name, found.other.name, found.count) == ("left.0", "right.0", 36)


@pytest.mark.parametrize(
    "what_else",
    [
        pytest.param({"start": 0.4}, id="other values from the start"),
        pytest.param({"last": 0.6}, id="equal to the end"),
        pytest.param({"since": 61}, id="trained after the other"),
        pytest.param({"mean": 0.0}, id="given the same tensor"),
        pytest.param({"mean": 3.0}, id="inputs of another kind"),
        pytest.param({"std": 3.0}, id="inputs of another size"),
        pytest.param({"edges": [("(input)", "left.0"), ("left.0", "right.0")]}, id="one after the other"),
        pytest.param({"without": ("act",)}, id="activations that were not measured"),
    ],
)
def test_stays_quiet_on_parts_that_may_well_begin_equal(what_else):
    assert twins(**what_else) is None


def test_more_than_two_and_members_of_a_list_are_no_twins():
    three = TOWERS | {"third.0": LINEAR}
    assert twins(three, edges=[("(input)", name) for name in three]) is None
    assert twins({"layers.0": LINEAR, "layers.1": LINEAR}, edges=[]) is None
    assert twins({"left": LINEAR, "right": LINEAR}, edges=[]) is not None
