"""Torch tensors of every kind come back as torch itself would load them."""

import io
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from stetho.checkpoints.opening import open_checkpoint
from stetho.checkpoints.pickles.weights import storage_of
from stetho.errors import CheckpointDamaged


def saved(path: Path, tree: Any) -> dict[str, Any]:
    torch.save(tree, path)
    return {name: tensor.read() for name, tensor in open_checkpoint(path).items()}


def test_views_share_a_storage_and_keep_their_order(tmp_path: Path) -> None:
    whole = torch.arange(24.0).reshape(4, 6)
    views = {
        "row": whole[2],
        "part": whole[1:3, 2:5],
        "turned": whole.t(),
        "wide": whole[0, :1].expand(5),
        "none": whole[:0],
    }
    found = saved(tmp_path / "a.pt", views)
    for name, view in views.items():
        np.testing.assert_array_equal(found[name], view.numpy(), strict=True)


@pytest.mark.parametrize(
    "dtype", ["bool", "uint8", "int16", "int64", "float16", "bfloat16", "float64", "complex64", "uint16"]
)
def test_every_type_comes_back(dtype: str, tmp_path: Path) -> None:
    tensor = torch.tensor([0, 1, 1]).to(getattr(torch, dtype))
    found = saved(tmp_path / "a.pt", {"w": tensor})["w"]
    np.testing.assert_array_equal(found, (tensor.float() if dtype == "bfloat16" else tensor).numpy(), strict=True)
    assert open_checkpoint(tmp_path / "a.pt")["w"].dtype == dtype


def test_eight_bit_floats_parameters_sparse_tensors_and_arrays(tmp_path: Path) -> None:
    tree = {
        "eight": torch.ones(3).to(torch.float8_e5m2),
        "parameter": torch.nn.Parameter(torch.ones(2)),
        "sparse": torch.eye(2).to_sparse(),
        "array": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        "scalar": np.float32(2.5),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # sparse tensors are in beta
        found = saved(tmp_path / "a.pt", tree)
    assert found["eight"].tolist() == [1, 1, 1]
    assert found["parameter"].tolist() == [1, 1]
    assert (found["sparse.indices"].tolist(), found["sparse.values"].tolist()) == ([[0, 1], [0, 1]], [1, 1])
    np.testing.assert_array_equal(found["array"], np.arange(6.0).reshape(2, 3))
    assert found["scalar"] == 2.5


def test_a_whole_model_is_read_without_its_code(tmp_path: Path) -> None:
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
    found = saved(tmp_path / "a.pt", model)
    assert {name: value.shape for name, value in found.items()} == {
        name: tuple(tensor.shape) for name, tensor in model.state_dict().items()
    }
    assert "torch.nn.modules.linear.Linear" in open_checkpoint(tmp_path / "a.pt").notes[0]


def test_a_view_beyond_its_storage_is_damage(tmp_path: Path) -> None:
    torch.save({"w": torch.ones(4)}, tmp_path / "a.pt")
    with zipfile.ZipFile(tmp_path / "a.pt") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    changed = io.BytesIO()
    with zipfile.ZipFile(changed, "w") as archive:
        for name, content in members.items():
            # K\x00 is the offset of the view, K\x04 its size; a view of 200 elements has none to show.
            archive.writestr(
                name, content.replace(b"K\x04\x85", b"K\xc8\x85") if name.endswith("data.pkl") else content
            )
    (tmp_path / "a.pt").write_bytes(changed.getvalue())
    with pytest.raises(CheckpointDamaged, match="reaches to element 200 of a storage of 4"):
        open_checkpoint(tmp_path / "a.pt")


def test_a_reference_to_something_else_is_damage() -> None:
    with pytest.raises(CheckpointDamaged, match="no torch storage"):
        storage_of(("module", "x"))
