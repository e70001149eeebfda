import numpy as np
import pytest

from stetho.checks.mechanisms.alike import units_stay_alike
from stetho.checks.run.facts import Parameter
from stetho.checks.signal.constant_init import constant_init
from stetho.testing import make_window

WEIGHT, VECTOR = Parameter("w", (32, 8), 256), Parameter("b", (32,), 32)
WAY = np.linspace(0.0, 0.4, 60)


def by_hand(low, high, *, update=1e-2, vector=VECTOR):
    stats = {("w", "param.min"): 0.35 - WAY, ("w", "param.max"): 0.35 + WAY, ("w", "param.rms"): 0.35}
    stats |= {
        (vector.name, "param.min"): low, (vector.name, "param.max"): high, (vector.name, "update.absmax"): update,
    }  # fmt: skip
    falling = {"loss": np.geomspace(10.0, 0.2, 60)}
    return make_window(layers=[], parameters=[WEIGHT, vector], stats=stats, step=falling)


@pytest.mark.parametrize(("low", "high"), [(WAY, WAY), (-WAY, -WAY), (WAY, WAY * 1.0001)])
def test_numbers_that_move_as_one_tell_of_units_that_are_one(low, high):
    window = by_hand(low, high)
    assert units_stay_alike(window, WEIGHT)
    assert constant_init(window).where.parameter == "w"


@pytest.mark.parametrize(
    "window",
    [
        by_hand(WAY, WAY * 1.5),  # they part
        by_hand(0.0, 0.0),  # nothing moves
        by_hand(WAY, WAY, update=0.0),
        by_hand(WAY, WAY, vector=Parameter("b", (7,), 7)),  # not one for each unit
        by_hand(WAY, WAY, vector=Parameter("b", (2,), 2)),
    ],
)
def test_stays_quiet_on_units_that_part_and_on_what_says_nothing(window):
    assert not units_stay_alike(window, WEIGHT)
    assert constant_init(window) is None
