"""Weights side by side, without their values."""

import numpy as np

from stetho.comparing.porting.alignment import align
from stetho.comparing.porting.usage import Used


def used(*weights: tuple[str, tuple[int, ...]], inputs_first: bool = False) -> list[Used]:
    return [Used(name, np.zeros(shape), inputs_first and len(shape) == 2) for name, shape in weights]


def plan(ours: list[Used], theirs: list[Used]) -> dict[str, str]:
    return {name: str(recipe) for name, recipe in align(ours, theirs).items()}


def test_packed_projections_are_split_by_their_names() -> None:
    ours = used(("in_w", (12, 4)), ("in_b", (12,)), ("out_w", (4, 4)), ("out_b", (4,)))
    theirs = used(*((f"{name}.weight", (4, 4)) for name in "vqk"), ("o.weight", (4, 4)))
    theirs += used(*((f"{name}.bias", (4,)) for name in "vqk"), ("o.bias", (4,)))
    found = plan(ours, theirs)
    assert (found["q.weight"], found["v.bias"]) == ("in_w, part 1 of 3", "in_b, part 3 of 3")
    assert found["o.weight"] == "out_w"


def test_projections_are_joined() -> None:
    ours = used(("q", (4, 4)), ("k", (4, 4)), ("v", (4, 4)), ("o", (4, 4)))
    found = plan(ours, used(("qkv", (12, 4)), ("out", (4, 4))))
    assert found == {"qkv": "q | k | v", "out": "o"}


def test_square_weights_are_turned_where_they_lie_the_other_way() -> None:
    assert plan(used(("a", (4, 4)), inputs_first=True), used(("b", (4, 4)))) == {"b": "a, transposed"}


def test_two_biases_of_a_cell_become_one() -> None:
    ours, theirs = used(("bias_ih", (8,)), ("bias_hh", (8,))), used(("bias", (8,)))
    assert plan(ours, theirs) == {"bias": "bias_ih + bias_hh"}
    assert plan(theirs, ours) == {"bias_ih": "bias", "bias_hh": "zeros"}


def test_a_weight_without_a_partner_is_left_out() -> None:
    assert plan(used(("a", (4, 3))), used(("b", (4, 3)), ("c", (5, 5)))) == {"b": "a"}


def test_weights_in_another_order_are_matched_by_shape_and_name() -> None:
    ours = used(("attn.bias", (12,)), ("norm.bias", (4,)))
    assert plan(ours, ours[::-1]) == {"norm.bias": "norm.bias", "attn.bias": "attn.bias"}


def test_parts_of_unequal_length_are_cut_by_their_rows() -> None:
    whole = Used("in_proj", np.arange(12.0).reshape(6, 2))
    found = align([whole], [Used("q", np.zeros((2, 2))), Used("kv", np.zeros((4, 2)))])
    assert str(found["kv"]) == "in_proj, rows 3 to 6"
    assert np.array_equal(found["kv"].made({"in_proj": whole.value}), whole.value[2:])


def test_parts_of_unequal_length_are_joined() -> None:
    ours = [Used("q_proj", np.ones((4, 2))), Used("k_proj", np.zeros((2, 2))), Used("v_proj", np.zeros((2, 2)))]
    assert align(ours, [Used("qkv", np.zeros((8, 2)))])["qkv"].sources == ("q_proj", "k_proj", "v_proj")
