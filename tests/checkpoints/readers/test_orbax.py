"""Orbax folders through tensorstore."""

import json
import sys
from pathlib import Path

import pytest

from stetho.checkpoints.opening import open_checkpoint
from stetho.errors import CheckpointRefused, MissingPackage
from tests.checkpoints.samples import write_orbax


def test_a_folder_of_steps_gives_its_last_one(tmp_path: Path) -> None:
    for step in ("9", "10"):
        (tmp_path / step).mkdir()
        (tmp_path / step / "_CHECKPOINT_METADATA").write_text("{}")
        write_orbax(tmp_path / step).rename(tmp_path / step / "default")
    (tmp_path / "10" / "default" / "marker").touch()
    checkpoint = open_checkpoint(tmp_path)
    assert set(checkpoint) == {"layer.weight", "count"}
    assert checkpoint["layer.weight"].read().shape == (2, 3)


def test_other_kinds_of_values_are_noted(tmp_path: Path) -> None:
    path = write_orbax(tmp_path)
    (path / "_METADATA").write_text((path / "_METADATA").read_text().replace("jax.Array", "string", 1))
    assert open_checkpoint(path).notes == ("`layer.weight` is a string; it was not read",)


@pytest.mark.parametrize("key", ["..", "../x", "a/b"])
def test_names_that_lead_elsewhere_are_refused(tmp_path: Path, key: str) -> None:
    entry = {"key_metadata": [{"key": key}], "value_metadata": {"value_type": "jax.Array"}}
    (tmp_path / "_METADATA").write_text(json.dumps({"tree_metadata": {"x": entry}}))
    with pytest.raises(CheckpointRefused, match="leads elsewhere"):
        open_checkpoint(tmp_path)


def test_a_missing_library_gives_the_line_that_installs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_orbax(tmp_path)
    monkeypatch.setitem(sys.modules, "tensorstore", None)
    with pytest.raises(MissingPackage, match=r"pip install 'stetho\[orbax\]'"):
        open_checkpoint(path)
