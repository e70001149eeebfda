"""A stretch of a file as a file of its own."""

import io
import os

from stetho.checkpoints.stored import FileBytes


class FileWindow(io.RawIOBase):
    """A stretch of a file as a file of its own, for libraries that want one."""

    def __init__(self, stretch: FileBytes) -> None:
        self._stretch = stretch
        self._at = 0
        self._descriptor = os.open(stretch.path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))

    def readable(self) -> bool:
        """Yes."""
        return True

    def seekable(self) -> bool:
        """Yes."""
        return True

    def tell(self) -> int:
        """Where the next byte comes from."""
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go somewhere else."""
        origin = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._stretch.size}[whence]
        if origin + offset < 0:
            raise ValueError("a place before the beginning of the file")
        self._at = origin + offset
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read as much as there is and fits."""
        wanted = memoryview(buffer).cast("B")[: max(0, self._stretch.size - self._at)]
        count = os.preadv(self._descriptor, [wanted], self._stretch.offset + self._at) if wanted else 0
        self._at += count
        return count

    def close(self) -> None:
        """Give the file back."""
        if not self.closed:
            os.close(self._descriptor)
        super().close()
