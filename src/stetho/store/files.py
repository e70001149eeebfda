"""How bytes reach the disk: at the end of a file, whole or not at all; or put in place by rename."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Protocol

_WRITE = os.O_WRONLY | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)


class Bytes(Protocol):
    """Anything that hands out its memory: bytes, an Arrow buffer, a numpy array."""

    def __buffer__(self, flags: int, /) -> memoryview: ...


class GrowingFile:
    """A file that is written from its end on; what a failed write left behind is cut off again.

    >>> import tempfile
    >>> file = GrowingFile(Path(tempfile.mkdtemp()) / "log")
    >>> end = file.write_at(0, b"one"); file.write_at(end, b"two"); file.close()
    6
    >>> file.path.read_bytes()
    b'onetwo'
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor = -1

    def write_at(self, end: int, data: Bytes) -> int:
        """Hand `data` to the operating system, so that it outlives this process; the new end of the file.

        The same again at the same place does no harm, whatever became of the first attempt.
        """
        if self._descriptor < 0:
            self._descriptor = os.open(self.path, _WRITE | (0 if end else os.O_TRUNC), 0o644)
        begin = end
        try:
            left = memoryview(data).cast("B")
            while left:
                written = os.pwrite(self._descriptor, left, end)
                end, left = end + written, left[written:]
        except OSError:
            self.cut(begin)
            raise
        return end

    def cut(self, end: int) -> None:
        """Take away what lies after `end`."""
        if self._descriptor >= 0:
            with suppress(OSError):
                os.ftruncate(self._descriptor, end)

    def close(self) -> None:
        """Give the file back; a later write opens it again."""
        if self._descriptor >= 0:
            descriptor, self._descriptor = self._descriptor, -1
            os.close(descriptor)

    def remove(self) -> None:
        """Close the file and take it away."""
        self.close()
        os.unlink(self.path)


class Lines:
    """A file of lines; each piece is appended whole or not at all.

    >>> import tempfile
    >>> lines = Lines(Path(tempfile.mkdtemp()) / "log")
    >>> lines.append(b"one\\n"); lines.append(b"two\\n"); lines.close()
    >>> lines.path.read_bytes()
    b'one\\ntwo\\n'
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = GrowingFile(path)
        self._end = 0

    def append(self, lines: bytes) -> None:
        """Add lines; also after Ctrl-C in the middle of it, the next ones begin where a line begins."""
        try:
            end = self._file.write_at(self._end, lines)
        except BaseException:
            self._file.cut(self._end)
            raise
        self._end = end

    def close(self) -> None:
        """Give the file back."""
        self._file.close()


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
                left = memoryview(piece).cast("B")
                while left:
                    left = left[os.write(descriptor, left) :]
        finally:
            os.close(descriptor)
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        raise
