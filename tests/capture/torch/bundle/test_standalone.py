"""A test that stands alone."""

import subprocess
import sys

import pytest

from stetho.capture.torch.bundle import standalone
from stetho.capture.torch.bundle.shrinking import shrunk
from stetho.capture.torch.bundle.writing import read_bundle


@pytest.mark.parametrize("kind", ["dropout", "inside_a_layer"])
def test_the_file_fails_without_stetho(kind, bundle_of, tmp_path, monkeypatch):
    if kind == "dropout":
        monkeypatch.setattr(standalone, "LARGEST_TEXT", 0)
    small, _ = shrunk(read_bundle(bundle_of(kind)))
    file = tmp_path / "test_repro.py"
    files = standalone.write_test(file, small, what="log(0)", size="")
    assert len(files) == (2 if kind == "dropout" else 1)
    assert "import stetho" not in file.read_text()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert ended.returncode == 1, ended.stdout
    assert "test_loss_and_gradients_are_finite" in ended.stdout
