"""A part of a file, for libraries that want a file."""

import io
from pathlib import Path

import pytest

from stetho.checkpoints.stored import whole_file
from stetho.checkpoints.window import FileWindow


def test_a_window_is_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(bytes(range(100)))
    with FileWindow(whole_file(tmp_path / "bytes").part(10, 5)) as window:
        assert window.read() == bytes(range(10, 15))
        assert (window.seek(-2, io.SEEK_END), window.read(9), window.read()) == (3, bytes([13, 14]), b"")
        with pytest.raises(ValueError, match="before the beginning"):
            window.seek(-1)
