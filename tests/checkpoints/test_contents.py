"""Tensors whose shape, strides and bytes contradict each other, and names that deceive, are refused."""

from pathlib import Path

import numpy as np
import pytest

from stetho.checkpoints.contents import Checkpoint, damage_named, lazy_tensor, safe_name, shown
from stetho.checkpoints.element_types import element_type
from stetho.checkpoints.stored import HeldBytes
from stetho.errors import CheckpointDamaged, CheckpointError, CheckpointRefused, UsageError

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


@pytest.mark.parametrize("name", ["a\x1b[31mred", "a\nb", "a\x07", "\u202egnp.a", "a" * 10_001, "\ud800"])
def test_names_that_do_something_to_a_terminal_are_refused(name: str) -> None:
    with pytest.raises(CheckpointRefused) as raised:
        safe_name(name)
    assert "\x1b" not in str(raised.value)
    assert len(str(raised.value)) < 500


def test_names_in_any_language_are_fine() -> None:
    assert safe_name("слой.вес/重み") == "слой.вес/重み"


def test_texts_of_a_file_are_escaped_in_messages() -> None:
    assert shown("a\x1b[2J\n") == "a\\x1b[2J\\n"


def test_any_error_of_a_library_becomes_damage_that_names_the_place() -> None:
    with pytest.raises(CheckpointDamaged, match=r"w\.bin: cannot be read \(no such key\)"), damage_named("w.bin"):
        raise ValueError("no such key")
    with pytest.raises(CheckpointRefused, match=r"w\.bin: a bomb"), damage_named("w.bin"):
        raise CheckpointRefused("a bomb")
    with pytest.raises(CheckpointError, match=r"w\.bin: may not be read \(denied\)"), damage_named("w.bin"):
        raise PermissionError(13, "denied")
    with pytest.raises(UsageError, match=r"^other$"), damage_named("w.bin"):
        raise UsageError("other")


def test_a_checkpoint_is_a_mapping() -> None:
    tensor = lazy_tensor("w", (2,), FLOAT, held(1, 2))
    checkpoint = Checkpoint(Path("a"), "npz", {"w": tensor})
    assert (list(checkpoint), checkpoint["w"], len(checkpoint), checkpoint.elements) == (["w"], tensor, 1, 2)
    assert (list(checkpoint.values()), checkpoint.nbytes) == ([tensor], 8)
