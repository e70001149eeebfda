"""TensorFlow's index and data files."""

from pathlib import Path

import pytest

from stetho.checkpoints.opening import open_checkpoint
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


def test_texts_and_slices_are_noted(tmp_path: Path) -> None:
    write_tensorflow(tmp_path)
    entries = {"": message((1, 1)), "text": message((1, 7)), "sliced": message((1, 1), (7, b"")), "\0hidden": b""}
    (tmp_path / "model.index").write_bytes(sorted_table(entries))
    checkpoint = open_checkpoint(tmp_path / "model")
    assert len(checkpoint) == 0
    assert checkpoint.notes == (
        "`text` holds TensorFlow type 7, no numbers; it was not read",
        "`sliced` is stored in slices; it was not read",
    )


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
