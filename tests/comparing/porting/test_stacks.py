"""Layers of one model that are one tensor in the other."""

import numpy as np

from stetho.comparing.porting.stacks import stacked
from stetho.comparing.porting.usage import Used

LAYERS = [Used(f"experts.{at}.weight", np.full((3, 2), float(at))) for at in range(4)]


def made(ours: list[Used], theirs: list[Used]) -> dict[str, list[float]]:
    held = {each.name: each.value for each in ours}
    return {name: each.made(held).reshape(-1).tolist() for name, each in stacked(ours, theirs, {}).items()}


def test_layers_become_a_stack_in_the_order_of_their_numbers() -> None:
    found = made(LAYERS[::-1], [Used("w", np.zeros((4, 3, 2)))])
    assert found == {"w": [float(at) for at in range(4) for _ in range(6)]}


def test_transposed_layers_become_a_stack() -> None:
    layers = [Used(f"e.{at}", np.arange(6.0).reshape(3, 2) + 10 * at) for at in range(2)]
    found = stacked(layers, [Used("w", np.zeros((2, 2, 3)))], {})["w"]
    expected = np.stack([each.value.T for each in layers])
    assert np.array_equal(found.made({each.name: each.value for each in layers}), expected)


def test_a_stack_becomes_layers_also_transposed_ones() -> None:
    whole = Used("w", np.arange(24.0).reshape(4, 2, 3))
    found = stacked([whole], LAYERS, {})
    assert np.array_equal(found["experts.2.weight"].made({"w": whole.value}), whole.value[2].T)


def test_what_is_taken_already_is_left_alone() -> None:
    done = stacked(LAYERS, [Used("w", np.zeros((4, 3, 2)))], {})
    assert stacked(LAYERS, [Used("w", np.zeros((4, 3, 2)))], done) == {}


def test_layers_of_other_shapes_are_no_stack() -> None:
    assert stacked(LAYERS, [Used("w", np.zeros((4, 5, 2))), Used("b", np.zeros(4))], {}) == {}
