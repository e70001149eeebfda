"""Weights of recurrent cells, held together or apart."""

import numpy as np
import pytest

from stetho.comparing.porting.alignment import align
from stetho.comparing.porting.cells import cell_recipes, is_of_a_cell
from stetho.comparing.porting.usage import Used

MADE = np.random.default_rng(0)
CELL = {
    "rnn.weight_ih_l0": MADE.normal(size=(16, 3)), "rnn.weight_hh_l0": MADE.normal(size=(16, 4)),
    "rnn.bias_ih_l0": MADE.normal(size=16), "rnn.bias_hh_l0": MADE.normal(size=16),
}  # fmt: skip
JOINED = {"gates.weight": (16, 7), "gates.bias": (16,)}


def used(shapes: dict[str, tuple[int, ...]]) -> list[Used]:
    return [Used(name, np.zeros(shape)) for name, shape in shapes.items()]


def plan(ours: dict[str, tuple[int, ...]], theirs: dict[str, tuple[int, ...]]) -> dict[str, str]:
    return {name: str(recipe) for name, recipe in align(used(ours), used(theirs)).items()}


SHAPES: dict[str, tuple[int, ...]] = {name: each.shape for name, each in CELL.items()}


def test_a_cell_becomes_one_matrix_and_one_bias() -> None:
    assert plan(SHAPES, JOINED) == {
        "gates.weight": "rnn.weight_ih_l0 beside rnn.weight_hh_l0",
        "gates.bias": "rnn.bias_ih_l0 + rnn.bias_hh_l0",
    }


def test_one_matrix_becomes_a_cell() -> None:
    found = plan(JOINED, SHAPES)
    assert found["rnn.weight_hh_l0"] == "gates.weight, columns 4 to 7"
    assert found["rnn.bias_hh_l0"] == "zeros"


def test_each_gate_gets_its_part() -> None:
    gates: dict[str, tuple[int, ...]] = {f"{name}.weight": (4, 7) for name in "ifgo"}
    gates |= {f"{name}.bias": (4,) for name in "ifgo"}
    found = plan(SHAPES, gates)
    assert found["g.weight"] == "rnn.weight_ih_l0 beside rnn.weight_hh_l0, part 3 of 4"
    assert found["g.bias"] == "rnn.bias_ih_l0 + rnn.bias_hh_l0, part 3 of 4"
    back = plan(gates, SHAPES)
    assert back["rnn.weight_ih_l0"] == "i.weight | f.weight | g.weight | o.weight, columns 1 to 3"


@pytest.mark.parametrize("place", range(4))
def test_a_gate_is_known_by_its_values(place: int) -> None:
    rows = slice(4 * place, 4 * place + 4)
    held = np.concatenate([CELL["rnn.weight_hh_l0"], CELL["rnn.weight_ih_l0"]], 1)[rows]
    assert any(np.array_equal(each.made(CELL), held) for each in cell_recipes(held, CELL))
    bias = (CELL["rnn.bias_ih_l0"] + CELL["rnn.bias_hh_l0"])[rows]
    assert any(np.array_equal(each.made(CELL), bias) for each in cell_recipes(bias, CELL))


def test_names_of_torch_tell_a_cell() -> None:
    assert [is_of_a_cell(name) for name in ("weight_ih_l0", "rnn.bias_hh", "fc.weight")] == [True, True, False]
