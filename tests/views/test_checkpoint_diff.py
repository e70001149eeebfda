"""What a person sees of two checkpoints."""

import io
from pathlib import Path

import numpy as np
import pytest
import torch

from stetho.checkpoints.diffing import CheckpointDiff, diff_checkpoints
from stetho.views.checkpoint_diff import print_diff, verdict


@pytest.fixture
def found(tmp_path: Path) -> CheckpointDiff:
    one = torch.ones(2, 2)
    tree = {"a": {"weight": one, "bias": torch.ones(2)}, "b": {"weight": one}, "gone": one, "cut": one, "epoch": 1}
    torch.save(tree, tmp_path / "1.pt")
    changed = one.clone()
    changed[1, 0] = 3.0
    tree |= {"a": {"weight": changed, "bias": torch.ones(2)}, "cut": one.ravel(), "epoch": 2, "new": "text"}
    del tree["gone"]
    torch.save(tree, tmp_path / "2.pt")
    return diff_checkpoints(tmp_path / "1.pt", tmp_path / "2.pt")


def drawn(found: CheckpointDiff, *, whole: bool = False, all_too: bool = False) -> list[str]:
    stream = io.StringIO()
    print_diff(found, stream, whole=whole, all_too=all_too)
    return stream.getvalue().splitlines()


def test_counts_the_first_difference_and_layers(found: CheckpointDiff) -> None:
    lines = drawn(found)
    assert lines[3] == "2 of 5 tensors the same, 1 changed, 1 reshaped, 1 missing"
    assert lines[4] == "first difference: a.weight, 25 % of its elements changed, by 2 at most at [1, 0]: 1 → 3"
    assert lines[7].split() == ["a", "1/2", "1", "2", "weight"]
    assert lines[8].split() == ["(root)", "0/2", "1", "reshaped", "1", "missing"]
    assert lines[9] == "1 layer wholly the same: b"
    assert [line.split() for line in lines[-2:]] == [["epoch", "1", "2"], ["new", "–", "'text'"]]


def test_tensors_one_by_one(found: CheckpointDiff) -> None:
    lines = drawn(found, whole=True)
    assert lines[7].split() == ["a.weight", "changed", "2×2", "float32", "25", "%", "1", "2", "[1,", "0]", "1", "3"]
    assert [line.split()[1] for line in lines[8:10]] == ["missing", "reshaped"]
    assert any("same" in line for line in drawn(found, whole=True, all_too=True)[6:])


def test_all_layers_on_demand(found: CheckpointDiff) -> None:
    assert any(line.split()[:2] == ["b", "1/1"] for line in drawn(found, all_too=True))


def test_the_same_is_said_in_one_line(tmp_path: Path) -> None:
    for name in ("a", "b"):
        np.savez(tmp_path / f"{name}.npz", w=np.ones(3))
    assert drawn(diff_checkpoints(tmp_path / "a.npz", tmp_path / "b.npz"))[3:] == [
        "1 of 1 tensor the same, all settings too"
    ]


def test_another_type_with_the_same_numbers_is_said_to_be_that(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", w=np.ones(3, np.float32))
    np.savez(tmp_path / "b.npz", w=np.ones(3, np.float64))
    shown = verdict(diff_checkpoints(tmp_path / "a.npz", tmp_path / "b.npz"))
    assert "w, retyped (float32 → float64), with the same numbers" in shown
