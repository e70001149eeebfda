"""ONNX as its library writes it, and files that point elsewhere."""

from pathlib import Path

import numpy as np
import pytest

from stetho.checkpoints.opening import open_checkpoint
from stetho.errors import CheckpointDamaged, CheckpointRefused
from tests.checkpoints.samples import message


def written(path: Path, *, beside: bool) -> Path:
    onnx = pytest.importorskip("onnx", reason="compared with what onnx writes")
    helper, kind = onnx.helper, onnx.TensorProto
    tensors = [
        helper.make_tensor("raw", kind.FLOAT, (2, 2), np.arange(4, dtype=np.float32).tobytes(), raw=True),
        helper.make_tensor("typed", kind.FLOAT, (2,), [1.5, 2.5]),
        helper.make_tensor("double", kind.DOUBLE, (1,), [0.1]),
        helper.make_tensor("half", kind.FLOAT16, (2,), [1.5, -2.5]),
        helper.make_tensor("brain", kind.BFLOAT16, (1,), [1.5]),
        helper.make_tensor("signed", kind.INT64, (2,), [-1, 1 << 40]),
        helper.make_tensor("flag", kind.BOOL, (2,), [True, False]),
        helper.make_tensor("text", kind.STRING, (1,), [b"words"]),
    ]
    constant = helper.make_node("Constant", [], ["constant"], value=helper.make_tensor("", kind.INT32, (1,), [7]))
    model = helper.make_model(helper.make_graph([constant], "graph", [], [], tensors))
    external = {"save_as_external_data": True, "location": "weights.bin", "size_threshold": 0} if beside else {}
    onnx.save(model, path, **external)
    return path


@pytest.mark.parametrize("beside", [False, True])
def test_reads_what_the_library_writes(tmp_path: Path, beside: bool) -> None:
    checkpoint = open_checkpoint(written(tmp_path / "a.onnx", beside=beside))
    found = {name: tensor.read().tolist() for name, tensor in checkpoint.items()}
    assert found == {
        "constant": [7],
        "raw": [[0, 1], [2, 3]],
        "typed": [1.5, 2.5],
        "double": [0.1],
        "half": [1.5, -2.5],
        "brain": [1.5],
        "signed": [-1, 1 << 40],
        "flag": [True, False],
    }
    assert "`text`" in checkpoint.notes[0]


@pytest.mark.parametrize("location", ["../secret", "/etc/passwd", ""])
def test_weights_elsewhere_are_refused(tmp_path: Path, location: str) -> None:
    told = message((1, "location"), (2, location))
    tensor = message((1, 2), (2, 1), (8, "w"), (13, told), (14, 1))
    (tmp_path / "a.onnx").write_bytes(message((7, message((5, tensor)))))
    with pytest.raises(CheckpointRefused, match="leads elsewhere"):
        open_checkpoint(tmp_path / "a.onnx")


def test_a_file_without_a_graph_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "a.onnx").write_bytes(message((1, 8)))
    with pytest.raises(CheckpointDamaged, match="is it an ONNX file"):
        open_checkpoint(tmp_path / "a.onnx")


def test_a_name_that_stands_twice_is_damage(tmp_path: Path) -> None:
    tensor = message((1, 1), (2, 1), (8, "w"), (9, bytes(4)))
    (tmp_path / "a.onnx").write_bytes(message((7, message((5, tensor), (5, tensor)))))
    with pytest.raises(CheckpointDamaged, match="stands twice"):
        open_checkpoint(tmp_path / "a.onnx")
