"""TensorFlow's older files."""

from pathlib import Path

import pytest

from stetho.checkpoints.opening import open_checkpoint
from stetho.errors import CheckpointDamaged
from tests.checkpoints.samples import message, sorted_table

TEXT = message((1, "text"), (2, b""), (3, 7))
WEIGHT = message((1, "w"), (2, message((2, message((1, 2))))), (3, 1))


def written(folder: Path, **entries: bytes) -> Path:
    (folder / "model.ckpt").write_bytes(
        sorted_table({"" if key == "meta" else key: one for key, one in entries.items()})
    )
    return folder / "model.ckpt"


def test_texts_are_noted(tmp_path: Path) -> None:
    path = written(tmp_path, meta=message((1, message((1, TEXT)))), text=message((2, message((1, "text"), (3, b"")))))
    assert open_checkpoint(path).notes == ("`text` holds TensorFlow type 7, no numbers; it was not read",)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (message((2, message((1, "w"), (3, b"")))), "needs 2 elements"),
        (message((2, message((1, "other"), (3, b"")))), "which the file does not describe"),
        (message((2, message((1, "w"), (3, message((5, bytes(8)), (4, bytes(8))))))), "values of several kinds"),
        (b"", "`w` has no values"),
    ],
)
def test_values_that_do_not_fit_are_damage(tmp_path: Path, values: bytes, said: str) -> None:
    path = written(tmp_path, meta=message((1, message((1, WEIGHT)))), w=values)
    with pytest.raises(CheckpointDamaged, match=said):
        open_checkpoint(path)
