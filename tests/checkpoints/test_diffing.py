"""Two checkpoints side by side."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from stetho.checkpoints.checking import check_checkpoint
from stetho.checkpoints.diffing import diff_checkpoints
from stetho.checkpoints.measuring import measure_checkpoint
from stetho.store.documents import encode
from tests.checkpoints import samples


def save(path: Path, **arrays: Any) -> Path:
    np.savez(path, **arrays)
    return path


def test_every_state_is_told_apart(tmp_path: Path) -> None:
    one = np.ones((2, 2), np.float32)
    first = save(tmp_path / "a.npz", same=one, changed=one, reshaped=one, retyped=one, missing=one)
    second = save(
        tmp_path / "b.npz", same=one, changed=one * 2, reshaped=one.ravel(), retyped=one.astype("f8"), extra=one
    )
    found = diff_checkpoints(first, second)
    assert {one.name: one.state for one in found.tensors} == {
        name: name for name in ("same", "changed", "reshaped", "retyped", "missing", "extra")
    }
    assert found.first_difference is not None
    assert found.first_difference.name == "changed"
    assert not found.is_equal


@pytest.mark.parametrize("name", ["pytorch", "pytorch_legacy", "dcp", "safetensors", "npz", "onnx", "mindspore"])
def test_the_format_does_not_matter(name: str, tmp_path: Path) -> None:
    first = samples.write_sharded(tmp_path)
    found = diff_checkpoints(first, samples.SAMPLES[name](tmp_path))
    assert {one.name: one.state for one in found.tensors if one.state != "extra"} == {
        "layer.weight": "same",
        "count": "same",
    }


def test_an_optimizer_step_is_seen_in_weights_state_and_settings(tmp_path: Path) -> None:
    model = torch.nn.Linear(3, 2)
    model.bias.requires_grad_(False)
    optimizer = torch.optim.Adam([model.weight])
    paths = [tmp_path / "1.pt", tmp_path / "2.pt"]
    for epoch, path in enumerate(paths):
        model(torch.ones(4, 3)).sum().backward()
        optimizer.step()
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)
    found = diff_checkpoints(*paths)
    states = {one.name: one.state for one in found.tensors}
    assert (states["model.weight"], states["model.bias"]) == ("changed", "same")
    assert states["optimizer.state.0.exp_avg"] == "changed"
    assert [(one.name, one.before, one.after) for one in found.settings] == [("epoch", 0, 1)]
    (layer,) = [layer for layer in found.layers() if layer.name == "model"]
    assert (layer.count("same"), len(layer.tensors), layer.is_same) == (1, 2, False)
    assert layer.largest is not None
    assert layer.largest.name == "model.weight"


def test_a_prefix_of_one_side_is_cut_off_and_told(tmp_path: Path) -> None:
    one = np.ones(2)
    first = save(tmp_path / "a.npz", **{"module.fc.weight": one, "module.fc.bias": one})
    second = save(tmp_path / "b.npz", **{"fc.weight": one, "fc.bias": one})
    for found in (diff_checkpoints(first, second), diff_checkpoints(second, first)):
        assert found.count("same") == 2
        assert "`module.`" in found.notes[0]


def test_settings_that_come_and_go_are_told(tmp_path: Path) -> None:
    for name, settings in (
        ("a", {"lr": 0.1, "old": 1, "nan": float("nan")}),
        ("b", {"lr": 0.1, "new": 2, "nan": float("nan")}),
    ):
        torch.save(settings, tmp_path / f"{name}.pt")
    found = diff_checkpoints(tmp_path / "a.pt", tmp_path / "b.pt")
    assert [(one.name, one.state) for one in found.settings] == [("old", "missing"), ("new", "extra")]


def test_a_checkpoint_is_the_same_as_itself_without_reading_it(tmp_path: Path) -> None:
    seen: list[int] = []
    found = diff_checkpoints(samples.write_safetensors(tmp_path), tmp_path / "a.safetensors", seen.append)
    assert found.is_equal
    assert found.first_difference is None
    assert not seen


def test_the_result_is_plain_data(tmp_path: Path) -> None:
    first = save(tmp_path / "a.npz", w=np.array([1.0, np.nan]), gone=np.ones(1))
    second = save(tmp_path / "b.npz", w=np.array([1.0, 2.0]))
    found = diff_checkpoints(first, second)
    document = json.loads(encode(found.to_json()))
    assert document["counts"] == {
        "missing": 1,
        "extra": 0,
        "reshaped": 0,
        "changed": 1,
        "retyped": 0,
        "same": 0,
        "all": 2,
    }
    assert document["first_difference"]["largest"] == "Infinity"
    assert found.table()[1]["changed"] is None


def test_all_documents_are_strict_json(tmp_path: Path) -> None:
    for name, value in (("a", np.nan), ("b", np.inf)):
        np.savez(tmp_path / f"{name}.npz", w=np.array([1.0, value], np.float32), z=np.zeros(0, np.float32))
    path = str(tmp_path / "a.npz")
    documents = diff_checkpoints(path, str(tmp_path / "b.npz")), check_checkpoint(path), measure_checkpoint(path)
    assert all(json.dumps(each.to_json(), allow_nan=False) for each in documents)
