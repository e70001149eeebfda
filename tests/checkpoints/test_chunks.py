"""Tensors in several chunks."""

import numpy as np
import pytest

from stetho.checkpoints.chunks import in_chunks
from stetho.checkpoints.contents import LazyTensor, lazy_tensor
from stetho.checkpoints.element_types import element_type
from stetho.checkpoints.stored import HeldBytes
from stetho.errors import CheckpointDamaged

WHOLE = np.arange(12, dtype=np.float32).reshape(4, 3)


def lazy(values: np.ndarray) -> LazyTensor:
    return lazy_tensor("w", values.shape, element_type(values.dtype.name), HeldBytes(values.tobytes()))


@pytest.mark.parametrize("axis", [0, 1])
def test_chunks_along_any_axis_and_in_any_order_give_the_whole(axis: int) -> None:
    upper, lower = np.split(WHOLE, [1], axis)
    begin = (1, 0) if axis == 0 else (0, 1)
    assert np.array_equal(in_chunks("w", (4, 3), [(begin, lazy(lower)), ((0, 0), lazy(upper))]).read(), WHOLE)


@pytest.mark.parametrize(
    ("chunks", "said"),
    [
        ([((0, 0), lazy(WHOLE[:2]))], "do not add up"),
        ([((0, 0), lazy(WHOLE[:2])), ((2, 0), lazy(WHOLE[2:].astype(np.float64)))], "several types"),
        ([((0, 0), lazy(WHOLE[:2])), ((3, 0), lazy(WHOLE[2:]))], r"a chunk of \(2, 3\) at \(3, 0\)"),
        ([((0,), lazy(WHOLE))], "outside of"),
    ],
)
def test_chunks_that_do_not_fit_are_damage(chunks: list[tuple[tuple[int, ...], LazyTensor]], said: str) -> None:
    with pytest.raises(CheckpointDamaged, match=said):
        in_chunks("w", (4, 3), chunks)
