"""Results of traced operations in a file."""

from pathlib import Path

import numpy as np
import torch

from stetho.capture.torch.autopsy.values import ValueFile


def test_results_are_found_where_they_are_said_to_be(tmp_path: Path) -> None:
    file = tmp_path / "trace-values.bin"
    values = ValueFile(lambda: file)
    first = values.keep((torch.ones(2), 3.0), {}, torch.ones(2) * 3)
    second = values.keep((torch.ones(2),), {"alpha": 2}, (torch.zeros(2, dtype=torch.bfloat16), None))
    values.settle()
    content = file.read_bytes()
    begins, dtype, shape = second["results"][0]
    assert first["constants"] == ["3.0"]
    assert second["constants"] == ["2"]
    assert first["given"] == second["given"]
    assert np.frombuffer(content[:8], first["results"][0][1]).tolist() == [3.0, 3.0]
    assert np.frombuffer(content[begins:], dtype).reshape(shape).tolist() == [0.0, 0.0]


def test_what_comes_after_the_last_step_is_dropped(tmp_path: Path) -> None:
    file = tmp_path / "trace-values.bin"
    values = ValueFile(lambda: file)
    values.keep((torch.ones(1),), {}, torch.ones(1))
    values.settle()
    values.keep((torch.ones(1),), {}, torch.zeros(1))
    values.drop()
    assert [each.name for each in tmp_path.iterdir()] == [file.name]
    assert np.frombuffer(file.read_bytes(), np.float32).tolist() == [1.0]


def test_nothing_is_made_where_nothing_is_kept(tmp_path: Path) -> None:
    values = ValueFile(lambda: tmp_path / "trace-values.bin")
    values.settle()
    values.drop()
    assert list(tmp_path.iterdir()) == []
