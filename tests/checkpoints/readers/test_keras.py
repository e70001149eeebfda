"""Keras archives."""

import zipfile
from pathlib import Path

import pytest

from stetho.checkpoints.opening import open_checkpoint
from stetho.errors import CheckpointDamaged
from tests.checkpoints.samples import write_hdf5, write_keras


def test_the_version_stands_beside_the_weights(tmp_path: Path) -> None:
    checkpoint = open_checkpoint(write_keras(tmp_path))
    assert checkpoint.settings == {"metadata.keras_version": "3.0.0"}
    assert checkpoint.format == "Keras"


def test_packed_weights_are_told_to_be_unzipped(tmp_path: Path) -> None:
    weights = write_hdf5(tmp_path)
    with zipfile.ZipFile(tmp_path / "a.keras", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(weights, "model.weights.h5")
    with pytest.raises(CheckpointDamaged, match="unzip it first"):
        open_checkpoint(tmp_path / "a.keras")
