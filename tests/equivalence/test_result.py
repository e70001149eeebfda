"""Results of the battery."""

import json

import numpy as np

from stetho.equivalence.result import Equivalence, first_differences


def test_the_first_step_that_differs_is_told_in_the_order_of_a_step() -> None:
    one = [{"grad/w": np.ones(2), "act/fc": np.ones(2)}] * 2
    other = [one[0], {"grad/w": np.zeros(2), "act/fc": np.zeros(2)}]
    found = first_differences(one, other, tolerance=1e-6, kinds={"fc": "Linear"})
    assert [(each.step, str(each)) for each in found] == [
        (2, "the output of `fc` (Linear)"),
        (2, "the gradient of `w`"),
    ]


def test_rounding_of_what_is_next_to_nothing_is_no_difference() -> None:
    one = [{"grad/large": np.ones(4), "grad/tiny": np.full(4, 1e-12)}]
    other = [{"grad/large": np.ones(4), "grad/tiny": np.full(4, -1e-12)}]
    assert first_differences(one, other, tolerance=1e-4, kinds={}) == []


def test_what_one_side_alone_has_is_a_difference_without_an_error() -> None:
    found = first_differences([{"grad/w": np.ones(2)}], [{}], tolerance=1.0, kinds={})
    assert (found[0].error, found[0].shapes) == (None, ((2,), None))


def test_it_is_plain_data() -> None:
    differences = first_differences([{"act/": np.ones(1)}], [{"act/": np.full(1, np.nan)}], tolerance=0.1, kinds={})
    found = Equivalence("dtype", ("a", "b"), 1, differences)
    assert json.loads(json.dumps(found.to_json(), allow_nan=False))["equal"] is False
    assert found.table()[0]["stage"] == "act"
