"""Files are whole at every moment."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from stetho.store.files import AppendFile, put_in_place


def test_a_piece_that_does_not_fit_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = AppendFile(tmp_path / "log")
    file.append(b"one")
    write = os.write

    def fill(descriptor: int, data: memoryview) -> int:
        if len(data) < 3:
            raise OSError(errno.ENOSPC, "full")
        return write(descriptor, data[:1])

    monkeypatch.setattr(os, "write", fill)
    with pytest.raises(OSError, match="full"):
        file.append(b"two")
    monkeypatch.undo()
    file.append(b"three")
    file.close()
    assert file.path.read_bytes() == b"onethree"


def test_a_short_write_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:2]))
    put_in_place(tmp_path / "file", np.arange(5, dtype=np.uint8), b"end")
    assert (tmp_path / "file").read_bytes() == bytes(range(5)) + b"end"


def test_appending_after_closing_goes_on(tmp_path: Path) -> None:
    file = AppendFile(tmp_path / "log")
    for piece in (b"one", b"two"):
        file.append(piece)
        file.close()
    file.close()
    assert file.path.read_bytes() == b"onetwo"


def test_a_file_of_before_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"old")
    file = AppendFile(tmp_path / "log")
    file.append(b"new")
    file.remove()
    assert os.listdir(tmp_path) == []


def test_a_failed_replacement_keeps_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_in_place(tmp_path / "file", b"old")

    def fail(*_paths: object) -> None:
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="broken"):
        put_in_place(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]
