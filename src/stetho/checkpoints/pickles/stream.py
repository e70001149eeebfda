"""The bytes of a pickle, read with bounds: lengths that a file claims are checked before memory is taken."""

from stetho.checkpoints.stored import Stretch
from stetho.errors import CheckpointDamaged, CheckpointRefused

LONGEST_LINE = 1 << 16
LONGEST_TEXT = 1 << 26
READ_AHEAD = 1 << 16


class PickleStream:
    """What `pickletools` needs of a file, over a stretch of one."""

    def __init__(self, file: Stretch) -> None:
        self.file = file
        self.at = 0
        self._ahead = b""
        self._begin = 0

    def tell(self) -> int:
        """Where the next byte comes from."""
        return self.at

    def read(self, count: int) -> bytes:
        """So many bytes; fewer only at the end, which `pickletools` complains about."""
        if count > LONGEST_TEXT:
            raise CheckpointRefused(f"{self.file.path}: a pickled text of {count:,} bytes; none is so long")
        inside = self.at - self._begin
        if inside + count > len(self._ahead):
            size = min(max(READ_AHEAD, count), self.file.size - self.at)
            self._begin, inside = self.at, 0
            self._ahead = self.file.part(self.at, max(size, 0)).head(max(size, 1))
        taken = self._ahead[inside : inside + count]
        self.at += len(taken)
        return taken

    def readline(self) -> bytes:
        """The rest of a line."""
        before = self.at
        line, end, _ = self.read(LONGEST_LINE).partition(b"\n")
        if not end:
            raise CheckpointDamaged(f"{self.file.path}: a line of a pickle has no end")
        self.at = before + len(line) + 1
        return line + end

    def place(self, size: int) -> Stretch:
        """The next bytes, left where they are."""
        place = self.file.part(self.at, size)
        self.at += size
        return place
