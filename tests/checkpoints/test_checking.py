"""What looks wrong is found, and what is usual is left alone."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from stetho.checkpoints.checking import CheckpointCheck, check_checkpoint

NORMAL = np.random.default_rng(0).normal(size=(8, 8)).astype(np.float32)


def checked(tmp_path: Path, **arrays: Any) -> CheckpointCheck:
    np.savez(tmp_path / "a.npz", **arrays)
    return check_checkpoint(tmp_path / "a.npz")


def with_value(value: float) -> Any:
    array = NORMAL.copy()
    array[3, 4] = value
    return array


@pytest.mark.parametrize(
    ("name", "array", "kind", "severity"),
    [
        ("w", with_value(np.nan), "nan", "error"),
        ("w", with_value(-np.inf), "infinity", "error"),
        ("w", np.zeros((4, 4), np.float32), "zeros", "warning"),
        ("w", np.full((4, 4), 0.5, np.float32), "constant", "warning"),
        ("b", np.zeros(4, np.float32), "zeros", "note"),
        ("w", NORMAL * np.float32(1e-39), "denormal", "warning"),
        ("w", NORMAL * 1e6, "scale", "warning"),
        ("norm.weight", NORMAL[0] * 1e6, "scale", "warning"),
        ("w", NORMAL.astype(np.float16) * np.float16(20000), "scale", "warning"),
        ("bn.running_var", np.array([1.0, -0.5], np.float32), "variance", "error"),
        ("optimizer.state.0.exp_avg", with_value(np.nan), "nan", "error"),
    ],
)
def test_finds(tmp_path: Path, name: str, array: Any, kind: str, severity: str) -> None:
    found = checked(tmp_path, **{name: array})
    assert (found.problems[0].kind, found.problems[0].severity, found.problems[0].name) == (kind, severity, name)
    assert found.is_clear == (severity == "note")


def test_finds_a_tensor_far_from_its_peers(tmp_path: Path) -> None:
    layers = {f"layer{number}.weight": NORMAL + number for number in range(5)}
    found = checked(tmp_path, **layers, **{"odd.weight": NORMAL * np.float32(1e-4)})
    assert [(one.kind, one.name) for one in found.problems] == [("scale", "odd.weight")]
    assert "median" in found.problems[0].text


def test_finds_doubled_tensors_and_tells_tied_ones_apart(tmp_path: Path) -> None:
    weight = torch.from_numpy(NORMAL.copy())
    torch.save({"embedding": weight, "head": weight, "copy": weight.clone(), "other": weight.t()}, tmp_path / "a.pt")
    found = check_checkpoint(tmp_path / "a.pt")
    assert {one.name: one.kind for one in found.problems} == {"head": "shared", "copy": "duplicated"}


def test_a_model_just_made_and_its_optimizer_are_clear(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.ReLU(), torch.nn.Linear(4, 4)
    )
    optimizer = torch.optim.AdamW(model.parameters())
    model(torch.randn(2, 3, 6, 6)).sum().backward()
    optimizer.step()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, tmp_path / "a.pt")
    found = check_checkpoint(tmp_path / "a.pt")
    assert found.is_clear, found.problems


def test_the_result_is_plain_data(tmp_path: Path) -> None:
    document = checked(tmp_path, w=with_value(np.nan)).to_json()
    assert document["problems"][0]["text"] == "1 of 64 elements are NaN"
    assert document["clear"] is False


def test_means_of_the_data_may_be_of_any_size(tmp_path: Path) -> None:
    assert not checked(tmp_path, **{"scaler.mean": NORMAL[0] * 1e6, "bn.running_var": NORMAL[0] ** 2 * 1e6}).problems
