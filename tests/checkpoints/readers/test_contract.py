"""What every reader keeps, whatever its format: names, shapes, types, elements, and one clear error for the rest."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stetho.__main__ import main
from stetho.checkpoints.contents import Checkpoint
from stetho.checkpoints.opening import open_checkpoint, reader_of
from stetho.checkpoints.readers import READERS
from stetho.errors import CheckpointError, StethoError
from tests.checkpoints.samples import COUNT, ONLY_FLOATS, SAMPLES, WEIGHT

EXTRAS = {"hdf5": "hdf5", "keras": "hdf5", "orbax": "orbax"}
"""Formats that only their own library reads, and what to install for it."""
LIBRARIES = ("torch", "h5py", "tensorstore", "safetensors", "tensorflow", "keras", "onnx", "jax", "flax", "msgpack")
FORMATS = [reader.__name__.rpartition(".")[2] for reader in READERS]  # type: ignore[attr-defined]


@pytest.fixture(scope="module", params=FORMATS)
def sample(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    return request.param, SAMPLES[request.param](tmp_path_factory.mktemp(request.param))


def named(checkpoint: Checkpoint) -> dict[str, np.ndarray]:  # type: ignore[type-arg]
    return {name.replace("/", "."): tensor.read() for name, tensor in checkpoint.items()}


def test_gives_the_tensors_that_were_written(sample: tuple[str, Path]) -> None:
    found = named(open_checkpoint(sample[1]))
    np.testing.assert_array_equal(found["layer.weight"], WEIGHT, strict=True)
    if sample[0] not in ONLY_FLOATS:
        np.testing.assert_array_equal(found["count"], COUNT, strict=True)


@pytest.mark.parametrize("command", ["show", "check"])
def test_without_libraries_it_is_read_or_the_line_that_installs_one_is_told(
    sample: tuple[str, Path], command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for library in LIBRARIES:
        monkeypatch.setitem(sys.modules, library, None)
    status = main(["ckpt", command, str(sample[1])])
    told = capsys.readouterr().err
    if sample[0] in EXTRAS:
        assert (status, told.count("\n")) == (2, 1)
        assert told.endswith(f"run: pip install 'stetho[{EXTRAS[sample[0]]}]'\n")
    else:
        assert (status, told) == (0, "")


def test_gives_shapes_and_types_before_anything_is_read(sample: tuple[str, Path]) -> None:
    tensors = {name.replace("/", "."): tensor for name, tensor in open_checkpoint(sample[1]).items()}
    assert (tensors["layer.weight"].shape, tensors["layer.weight"].dtype) == ((2, 3), "float32")
    assert tensors["layer.weight"].nbytes == WEIGHT.nbytes


@pytest.mark.parametrize("most", [1, 4, 100])
def test_gives_the_same_elements_in_blocks_of_any_size(sample: tuple[str, Path], most: int) -> None:
    for tensor in open_checkpoint(sample[1]).values():
        blocks = [block.copy() for block in tensor.blocks(most)]
        assert all(block.size == most for block in blocks[:-1])
        whole = np.concatenate(blocks) if blocks else np.empty(0)
        np.testing.assert_array_equal(tensor.element.decoded(whole), tensor.read().reshape(-1))


def test_is_recognized_by_one_reader_that_has_a_name_of_its_own(sample: tuple[str, Path]) -> None:
    reader = reader_of(sample[1])
    assert reader is not None
    assert reader.__name__.endswith(f".{sample[0]}")  # type: ignore[attr-defined]
    assert [one.NAME for one in READERS].count(reader.NAME) == 1


@pytest.mark.parametrize("content", [b"", b"\x0a", b"PK\x03\x04", b"\x80\x02", b"no checkpoint at all " * 10])
@pytest.mark.parametrize("ending", [".pt", ".safetensors", ".npz", ".h5", ".keras", ".onnx", ".nnp", ".ckpt", ".index"])
def test_says_clearly_that_something_is_no_checkpoint(ending: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / f"a{ending}").write_bytes(content)
    with pytest.raises(CheckpointError) as raised:
        open_checkpoint(tmp_path / f"a{ending}")
    assert f"a{ending}" in str(raised.value)
    assert "\n" not in str(raised.value)


@st.composite
def damages(draw: st.DrawFn) -> tuple[float, float, str, bytes]:
    """Which file, where in it, and what is done there: it is cut off, or bytes are changed, written over or put in."""
    share = st.floats(0, 1, exclude_max=True)
    way = draw(st.sampled_from(["cut", "change", "insert"]))
    return draw(share), draw(share), way, draw(st.binary(min_size=1, max_size=12) | st.just(b"\xff" * 8))


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(damage=damages())
def test_never_fails_but_with_an_error_of_ours(
    name: str, tmp_path_factory: pytest.TempPathFactory, damage: tuple[float, float, str, bytes]
) -> None:
    folder = tmp_path_factory.mktemp(name)
    path = SAMPLES[name](folder)
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    which, where, way, new = damage
    victim = files[int(which * len(files))]
    content = victim.read_bytes()
    place = int(where * len(content))
    rest = b"" if way == "cut" else new + content[place + len(new) * (way == "change") :]
    victim.write_bytes(content[:place] + rest)
    try:
        for tensor in open_checkpoint(path).values():
            tensor.read()
    except StethoError as error:
        assert "\n" not in str(error)  # noqa: PT017 - no error is fine too


def test_needs_no_framework(tmp_path: Path) -> None:
    paths = [str(SAMPLES[name](tmp_path)) for name in ("pytorch", "pytorch_legacy", "dcp", "onnx", "mindspore")]
    code = (
        "import sys; from stetho.checkpoints.opening import open_checkpoint\n"
        f"for path in {paths!r}: assert [tensor.read() for tensor in open_checkpoint(path).values()]\n"
        "assert not {'torch', 'onnx', 'mindspore'} & set(sys.modules), sorted(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
