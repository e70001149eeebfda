"""Weights in a file for another implementation."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch import nn

from stetho.comparing.porting.port import fill, port, write
from stetho.errors import UsageError
from tests.comparing.models import pairs


def test_the_written_file_makes_the_second_model_compute_what_the_first_does(tmp_path: Path) -> None:
    one, other = pairs.gpt(carried=False)
    found = port(one.eval(), other, ["input_ids=2,7:int64:31"])
    write(found, tmp_path / "plain.safetensors")
    other.load_state_dict(load_file(tmp_path / "plain.safetensors"))
    ids = torch.randint(0, 31, (3, 9))
    assert found.is_confirmed
    assert torch.allclose(one(ids).logits, other(ids), atol=1e-4)
    assert other.head.weight.dtype == torch.float32


def test_a_place_that_cannot_be_written_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    found = port(nn.Linear(2, 2), nn.Linear(2, 2), (1, 2))
    with pytest.raises(UsageError, match="cannot be written"):
        write(found, tmp_path / "no" / "w.safetensors")
    assert list(tmp_path.iterdir()) == []


def test_a_model_is_filled_from_a_checkpoint_of_any_format(tmp_path: Path) -> None:
    source, model = nn.Linear(2, 3), nn.Linear(2, 3)
    torch.save(source.state_dict(), tmp_path / "w.pt")
    fill(model, tmp_path / "w.pt")
    assert torch.equal(source.weight, model.weight)


def test_a_checkpoint_of_other_shapes_is_told(tmp_path: Path) -> None:
    torch.save(nn.Linear(2, 3).state_dict(), tmp_path / "w.pt")
    with pytest.raises(UsageError, match="in the file and"):
        fill(nn.Linear(3, 3), tmp_path / "w.pt")


def test_a_checkpoint_without_a_weight_of_the_model_is_told(tmp_path: Path) -> None:
    torch.save(nn.Linear(2, 3, bias=False).state_dict(), tmp_path / "w.pt")
    with pytest.raises(UsageError, match="holds no `bias`, which the model has"):
        fill(nn.Linear(2, 3), tmp_path / "w.pt")
