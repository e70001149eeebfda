"""What a person sees of a checkpoint and its problems."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import torch

from stetho.checkpoints.checking import check_checkpoint
from stetho.checkpoints.diffing import diff_checkpoints
from stetho.checkpoints.measuring import measure_checkpoint
from stetho.checkpoints.opening import open_checkpoint
from stetho.views.checkpoint import print_check, print_measured, print_values
from stetho.views.checkpoint_diff import print_diff


def drawn(draw: Any, what: object) -> list[str]:
    stream = io.StringIO()
    draw(what, stream)
    return stream.getvalue().splitlines()


def test_the_tree_has_numbers_bars_and_settings(tmp_path: Path) -> None:
    weight = torch.tensor([[0.0, 1.0], [1.0, float("nan")]])
    torch.save({"model": {"fc": {"weight": weight, "bias": torch.zeros(2)}}, "epoch": 3}, tmp_path / "a.pt")
    lines = drawn(print_measured, measure_checkpoint(tmp_path / "a.pt"))
    assert lines[0].endswith("a.pt · PyTorch · 2 tensors · 6 elements · 24 B")
    assert lines[2].split()[:5] == ["name", "shape", "type", "mean", "std"]
    assert lines[3] == "model.fc"
    assert lines[4].split()[:4] == ["weight", "2×2", "float32", "0.6667"]
    assert lines[4].endswith("1 NaN")
    assert "█" in lines[4]
    assert lines[5].startswith("  bias")
    assert lines[-1].split() == ["epoch", "3"]


def test_many_settings_are_cut_and_told(tmp_path: Path) -> None:
    torch.save({f"setting{number}": number for number in range(20)}, tmp_path / "a.pt")
    assert drawn(print_measured, measure_checkpoint(tmp_path / "a.pt"))[-1] == "and 8 more; --json has all"


def test_problems_come_before_notes(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", w=np.zeros((2, 2)), **{f"b{number}": np.ones(2) for number in range(6)})
    lines = drawn(print_check, check_checkpoint(tmp_path / "a.npz"))
    assert lines[3].split(maxsplit=3) == ["warning", "zeros", "w", "all elements are zero"]
    assert lines[-1] == "note: 6 tensors of one axis all the same number: b0, b1, b2, b3 and 2 more"


def test_a_healthy_checkpoint_is_clear(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", w=np.arange(4.0).reshape(2, 2))
    assert drawn(print_check, check_checkpoint(tmp_path / "a.npz"))[-1].startswith("clear: no NaN")


def test_values_are_printed(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", w=np.arange(3))
    assert drawn(print_values, open_checkpoint(tmp_path / "a.npz")) == ["w · 3 · int64", "[0 1 2]", ""]


def test_the_name_of_a_file_does_nothing_to_a_terminal(tmp_path: Path) -> None:
    np.savez(tmp_path / "a\x1b[31m.npz", w=np.ones(2, np.float32))
    path = tmp_path / "a\x1b[31m.npz"
    lines = [
        *drawn(print_measured, measure_checkpoint(path)),
        *drawn(print_check, check_checkpoint(path)),
        *drawn(print_diff, diff_checkpoints(path, path)),
    ]
    assert not any("\x1b" in line for line in lines)
    assert "a\\x1b[31m.npz" in lines[0]
