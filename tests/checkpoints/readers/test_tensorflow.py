"""TensorFlow's index and data files."""

from pathlib import Path

import numpy as np
import pytest

from stetho.checkpoints.opening import open_checkpoint
from stetho.checkpoints.tensor_slices import FULL, slice_key
from stetho.errors import CheckpointDamaged
from tests.checkpoints.samples import message, sorted_table, write_tensorflow


@pytest.mark.parametrize("given", ["model", "model.index", "."])
def test_the_name_the_index_and_the_folder_are_all_fine(tmp_path: Path, given: str) -> None:
    write_tensorflow(tmp_path)
    assert set(open_checkpoint(tmp_path / given)) == {"count", "layer/weight"}


def test_a_folder_with_several_gives_the_one_that_is_named_latest(tmp_path: Path) -> None:
    write_tensorflow(tmp_path)
    for ending in ("index", "data-00000-of-00001"):
        (tmp_path / f"older.{ending}").write_bytes((tmp_path / f"model.{ending}").read_bytes())
    (tmp_path / "checkpoint").write_text('model_checkpoint_path: "/elsewhere/model"\n')
    assert len(open_checkpoint(tmp_path)) == 2


def test_a_saved_model_is_its_variables(tmp_path: Path) -> None:
    folder = tmp_path / "saved" / "variables"
    folder.mkdir(parents=True)
    write_tensorflow(folder)
    for file in list(folder.iterdir()):
        file.rename(folder / file.name.replace("model", "variables"))
    assert len(open_checkpoint(tmp_path / "saved")) == 2


def test_texts_are_noted(tmp_path: Path) -> None:
    write_tensorflow(tmp_path)
    (tmp_path / "model.index").write_bytes(sorted_table({"": message((1, 1)), "text": message((1, 7))}))
    checkpoint = open_checkpoint(tmp_path / "model")
    assert len(checkpoint) == 0
    assert checkpoint.notes == ("`text` holds TensorFlow type 7, no numbers; it was not read",)


SIZES = message((2, message((1, 4))), (2, message((1, 2))))
UPPER, LOWER = (message((1, message((1, at), (2, 2))), (1, b"")) for at in (0, 2))
SLICED = message((1, 1), (2, SIZES), (7, LOWER), (7, UPPER))


def test_slices_of_a_variable_are_put_together(tmp_path: Path) -> None:
    values = np.arange(8, dtype=np.float32).reshape(4, 2)
    (tmp_path / "model.data-00000-of-00001").write_bytes(values.tobytes())
    entries = {
        "": message((1, 1)),
        slice_key("w", ((0, 2), (0, FULL))): message((1, 1), (5, 16)),
        slice_key("w", ((2, 2), (0, FULL))): message((1, 1), (4, 16), (5, 16)),
        "w": SLICED,
    }
    (tmp_path / "model.index").write_bytes(sorted_table(entries))
    assert np.array_equal(open_checkpoint(tmp_path / "model")["w"].read(), values)


def test_a_slice_that_is_missing_is_damage(tmp_path: Path) -> None:
    write_tensorflow(tmp_path)
    (tmp_path / "model.index").write_bytes(sorted_table({"": message((1, 1)), "w": SLICED}))
    with pytest.raises(CheckpointDamaged, match="a slice that is not in the index"):
        open_checkpoint(tmp_path / "model")


def test_missing_data_is_damage(tmp_path: Path) -> None:
    path = write_tensorflow(tmp_path)
    (tmp_path / "model.data-00000-of-00001").unlink()
    with pytest.raises(CheckpointDamaged, match=r"model\.data-00000-of-00001: missing"):
        open_checkpoint(path)


@pytest.mark.parametrize("entry", [message((1, 1), (4, 1000), (5, 4)), message((1, 1), (3, 9), (5, 4))])
def test_entries_that_point_outside_are_damage(tmp_path: Path, entry: bytes) -> None:
    path = write_tensorflow(tmp_path)
    (tmp_path / "model.index").write_bytes(sorted_table({"": message((1, 1)), "w": entry}))
    with pytest.raises(CheckpointDamaged):
        open_checkpoint(path)
