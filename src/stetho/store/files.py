"""How bytes reach the disk: appended whole or not at all, or put in place by rename."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Protocol

_WRITE = os.O_WRONLY | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)


class Bytes(Protocol):
    """Anything that hands out its memory: bytes, an Arrow buffer, a numpy array."""

    def __buffer__(self, flags: int, /) -> memoryview: ...


class AppendFile:
    """A file that grows by whole pieces; what a failed write left behind is cut off again.

    >>> import tempfile
    >>> file = AppendFile(Path(tempfile.mkdtemp()) / "log")
    >>> file.append(b"one"); file.append(b"two"); file.close()
    >>> file.path.read_bytes()
    b'onetwo'
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor = -1
        self._size = 0

    def append(self, data: Bytes) -> None:
        """Hand `data` to the operating system in one piece, so that it outlives this process."""
        if self._descriptor < 0:
            fresh = 0 if self._size else os.O_TRUNC
            self._descriptor = os.open(self.path, _WRITE | os.O_APPEND | fresh, 0o644)
        try:
            self._size += _write_all(self._descriptor, data)
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._descriptor, self._size)
            raise

    def close(self) -> None:
        """Give the file back; a later `append` opens it again."""
        if self._descriptor >= 0:
            descriptor, self._descriptor = self._descriptor, -1
            os.close(descriptor)

    def remove(self) -> None:
        """Close the file and take it away."""
        self.close()
        os.unlink(self.path)


def put_in_place(path: Path, *pieces: Bytes) -> None:
    """Write a file so that `path` holds either what it held before or all of `pieces`, at every moment.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "note.txt"
    >>> put_in_place(path, b"hello ", b"there")
    >>> path.read_bytes()
    b'hello there'
    """
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        descriptor = os.open(temporary, _WRITE | os.O_TRUNC, 0o644)
        try:
            for piece in pieces:
                _write_all(descriptor, piece)
        finally:
            os.close(descriptor)
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _write_all(descriptor: int, data: Bytes) -> int:
    left = memoryview(data).cast("B")
    size = len(left)
    while left:
        left = left[os.write(descriptor, left) :]
    return size
