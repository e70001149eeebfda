"""Zip archives as checkpoints use them: members that lie in the file as they are, or are unpacked while they are read.

An archive is looked at as a whole before anything in it is used: members that overlap, names that lead out of the
archive, and sizes that no weights have are refused.
"""

import itertools
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from stetho.checkpoints.element_types import Array
from stetho.checkpoints.refusing import refuse_bomb, shown
from stetho.checkpoints.stored import FileBytes, Stored
from stetho.checkpoints.streams import StreamedBytes
from stetho.checkpoints.window import FileWindow
from stetho.errors import CheckpointDamaged, CheckpointRefused

MAGIC = b"PK\x03\x04"
LOCAL_HEADER = 30
PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Archive:
    """The members of a zip archive by name."""

    file: FileBytes
    members: dict[str, zipfile.ZipInfo]

    @classmethod
    def open(cls, file: FileBytes) -> "Archive":
        """Read the list of members; CheckpointRefused when it looks like a trap."""
        with FileWindow(file) as window, zipfile.ZipFile(window) as archive:
            listed = archive.infolist()
        _refuse_traps(file, listed)
        return cls(file, {member.filename: member for member in listed})

    def stored(self, name: str) -> Stored:
        """Where the bytes of a member are; CheckpointDamaged when there is no such member."""
        member = self.members.get(name)
        if member is None:
            raise CheckpointDamaged(f"{self.file.path}: `{shown(name)}` is missing in the archive; copy the file again")
        if member.compress_type == zipfile.ZIP_STORED:
            return self._as_it_lies(member)
        name = f"{self.file.path}: {shown(name)}"
        return StreamedBytes(member.file_size, partial(_unpacked, self.file, member), name)

    def read(self, name: str, most: int) -> bytes:
        """A whole member that is small by its nature."""
        stored = self.stored(name)
        if stored.size > most:
            raise CheckpointRefused(
                f"{self.file.path}: `{shown(name)}` is {stored.size:,} bytes long; it never needs more than {most:,}"
            )
        return b"".join(block.tobytes() for block in stored.blocks(PIECE))

    def ending(self, name: str) -> str | None:
        """The one member with this name, in whatever folder of the archive."""
        found = [member for member in self.members if member == name or member.endswith(f"/{name}")]
        return min(found, key=len) if found else None

    def _as_it_lies(self, member: zipfile.ZipInfo) -> FileBytes:
        header = self.file.part(member.header_offset, LOCAL_HEADER).head(LOCAL_HEADER)
        if header[:4] != MAGIC or member.compress_size != member.file_size:
            raise CheckpointDamaged(f"{self.file.path}: the archive contradicts itself at `{shown(member.filename)}`")
        name, extra = int.from_bytes(header[26:28], "little"), int.from_bytes(header[28:30], "little")
        return self.file.part(member.header_offset + LOCAL_HEADER + name + extra, member.file_size)


def _unpacked(file: FileBytes, member: zipfile.ZipInfo) -> Iterator[Array]:
    with (
        FileWindow(file) as window,
        zipfile.ZipFile(window) as archive,
        archive.open(member) as stream,
    ):
        while piece := stream.read(PIECE):
            yield np.frombuffer(piece, np.uint8)


def _refuse_traps(file: FileBytes, listed: list[zipfile.ZipInfo]) -> None:
    names = [member.filename for member in listed]
    for member in listed:
        parts = member.filename.replace("\\", "/").split("/")
        if ".." in parts or member.filename.startswith(("/", "\\")) or ":" in parts[0]:
            raise CheckpointRefused(f"{file.path}: a member is named `{shown(member.filename)}`, which leads elsewhere")
        if member.flag_bits & 1:
            raise CheckpointRefused(f"{file.path}: `{shown(member.filename)}` is encrypted; decrypt the file first")
    if len(set(names)) != len(names):
        raise CheckpointRefused(f"{file.path}: two members have the same name; readers would not agree which is meant")
    begun = sorted(listed, key=lambda member: member.header_offset)
    for member, following in itertools.pairwise(begun):
        if member.header_offset + LOCAL_HEADER + member.compress_size > following.header_offset:
            raise CheckpointRefused(f"{file.path}: members of the archive overlap, as they do in a zip bomb")
    refuse_bomb(file.path, file.size, sum(member.file_size for member in listed))
