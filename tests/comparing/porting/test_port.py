"""Weights in a file for another implementation."""

import json
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


def test_a_port_that_is_not_confirmed_says_where_the_models_part() -> None:
    one, other = nn.Sequential(nn.Linear(4, 4), nn.ReLU()), nn.Sequential(nn.Linear(4, 4), nn.Tanh())
    found = port(one, other, (3, 4))
    assert not found.is_confirmed
    assert str(found.first_difference) == "relu in `1` (ReLU) and tanh in `1` (Tanh)"
    assert "different: relu" in str(found)


def test_a_port_is_a_table_and_plain_data() -> None:
    found = port(nn.Linear(4, 2), nn.Sequential(nn.Linear(4, 2)), (3, 4))
    assert found.table()[0] == {"weight": "0.weight", "shape": [2, 4], "sources": ["weight"], "made_from": "weight"}
    document = json.loads(json.dumps(found.to_json()))
    assert document["kind"] == "port"
    assert document["confirmed"]
    assert document["first_difference"] is None


def test_what_gets_no_values_is_in_the_table_too() -> None:
    found = port(nn.Linear(4, 2, bias=False), nn.Linear(4, 2), (3, 4))
    assert [row["made_from"] for row in found.table() if row["weight"] == "bias"] == [None]


def test_models_may_be_named_by_a_text(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text("from torch import nn\ndef build():\n    return nn.Linear(3, 2)\n")
    assert port(f"{tmp_path}/net.py:build", nn.Linear(3, 2), (1, 3)).is_confirmed
