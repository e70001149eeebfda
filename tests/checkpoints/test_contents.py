"""Tensors whose shape, strides and bytes contradict each other, and names that deceive, are refused."""

from pathlib import Path

import numpy as np
import pytest

from stetho.checkpoints.contents import Checkpoint, lazy_tensor
from stetho.checkpoints.element_types import element_type
from stetho.checkpoints.stored import HeldBytes
from stetho.errors import CheckpointDamaged, CheckpointRefused

FLOAT = element_type("float32")


def held(*values: float) -> HeldBytes:
    return HeldBytes(np.array(values, np.float32).tobytes())


def test_strides_are_followed() -> None:
    tensor = lazy_tensor("w", (2, 3), FLOAT, held(0, 1, 2, 3, 4, 5), (1, 2))
    assert tensor.read().tolist() == [[0, 2, 4], [1, 3, 5]]
    assert [block.tolist() for block in tensor.blocks(4)] == [[0, 2, 4, 1], [3, 5]]


def test_strides_that_are_in_order_are_read_straight_from_the_file() -> None:
    assert lazy_tensor("w", (2, 1, 3), FLOAT, held(0, 1, 2, 3, 4, 5), (3, 99, 1)).strides is None


@pytest.mark.parametrize(
    ("shape", "strides"),
    [((3,), None), ((1,), None), ((-2,), None), ((2,), (2,)), ((2, 1), (1,)), ((2,), (-1,)), ((1,) * 65, None)],
)
def test_a_shape_that_does_not_fit_its_bytes_is_damage(shape: tuple[int, ...], strides: tuple[int, ...] | None) -> None:
    with pytest.raises(CheckpointDamaged, match="`w`"):
        lazy_tensor("w", shape, FLOAT, held(1, 2), strides)


def test_one_element_is_not_unfolded_to_fill_the_memory() -> None:
    with pytest.raises(CheckpointRefused, match="unfolds 1 stored"):
        lazy_tensor("w", (10**6, 10**6), FLOAT, held(1), (0, 0))


def test_a_checkpoint_is_a_mapping() -> None:
    tensor = lazy_tensor("w", (2,), FLOAT, held(1, 2))
    checkpoint = Checkpoint(Path("a"), "npz", {"w": tensor})
    assert (list(checkpoint), checkpoint["w"], len(checkpoint), checkpoint.elements) == (["w"], tensor, 1, 2)
    assert (list(checkpoint.values()), checkpoint.nbytes) == ([tensor], 8)
