"""Files are whole at every moment."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from stetho.store.files import GrowingFile, Lines, put_in_place


def test_a_piece_that_does_not_fit_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = Lines(tmp_path / "log")
    lines.append(b"one\n")
    write = os.pwrite

    def fill(descriptor: int, data: memoryview, offset: int) -> int:
        if len(data) < 3:
            raise OSError(errno.ENOSPC, "full")
        return write(descriptor, data[:1], offset)

    monkeypatch.setattr(os, "pwrite", fill)
    with pytest.raises(OSError, match="full"):
        lines.append(b"two\n")
    assert lines.path.read_bytes() == b"one\n"
    monkeypatch.undo()
    lines.append(b"three\n")
    lines.close()
    assert lines.path.read_bytes() == b"one\nthree\n"


def test_ctrl_c_after_a_write_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = Lines(tmp_path / "log")
    lines.append(b"one\n")
    write = os.pwrite

    def interrupt(descriptor: int, data: memoryview, offset: int) -> int:
        write(descriptor, data, offset)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "pwrite", interrupt)
    with pytest.raises(KeyboardInterrupt):
        lines.append(b"a long one that is not counted\n")
    monkeypatch.undo()
    lines.append(b"two\n")
    lines.close()
    assert lines.path.read_bytes() == b"one\ntwo\n"


def test_a_short_write_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:2]))
    put_in_place(tmp_path / "file", np.arange(5, dtype=np.uint8), b"end")
    assert (tmp_path / "file").read_bytes() == bytes(range(5)) + b"end"


def test_a_short_write_at_the_end_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda descriptor, data, offset: write(descriptor, data[:2], offset))
    file = GrowingFile(tmp_path / "file")
    assert file.write_at(file.write_at(0, b"hello "), b"there") == 11
    file.close()
    assert file.path.read_bytes() == b"hello there"


def test_writing_after_closing_goes_on(tmp_path: Path) -> None:
    file = GrowingFile(tmp_path / "log")
    end = 0
    for piece in (b"one", b"two"):
        end = file.write_at(end, piece)
        file.close()
    file.close()
    assert file.path.read_bytes() == b"onetwo"


def test_a_file_of_before_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"older and longer")
    file = GrowingFile(tmp_path / "log")
    file.write_at(0, b"new")
    assert file.path.read_bytes() == b"new"
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
