"""Archives are looked at before they are used: bombs, tricks with paths and doubled names are refused."""

import struct
import warnings
import zipfile
from pathlib import Path

import pytest

from stetho.checkpoints.archive import Archive
from stetho.checkpoints.stored import FileBytes, whole_file
from stetho.errors import CheckpointDamaged, CheckpointRefused


def archive(path: Path, members: dict[str, bytes], way: int = zipfile.ZIP_STORED) -> FileBytes:
    with zipfile.ZipFile(path, "w", way) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return whole_file(path)


@pytest.mark.parametrize("way", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_members_are_read_where_they_lie_or_unpacked(tmp_path: Path, way: int) -> None:
    opened = Archive.open(archive(tmp_path / "a.zip", {"in/a": b"x" * 1000, "b": b""}, way))
    assert opened.read("in/a", 1000) == b"x" * 1000
    assert isinstance(opened.stored("in/a"), FileBytes) == (way == zipfile.ZIP_STORED)
    assert opened.ending("a") == "in/a"
    assert opened.ending("missing") is None


def test_an_archive_may_be_a_part_of_a_file(tmp_path: Path) -> None:
    inner = archive(tmp_path / "a.zip", {"a": b"inside"})
    (tmp_path / "outer").write_bytes(b"before" + (tmp_path / "a.zip").read_bytes() + b"after")
    opened = Archive.open(FileBytes(tmp_path / "outer", 6, inner.size))
    assert opened.read("a", 10) == b"inside"


@pytest.mark.parametrize("name", ["../a", "/etc/passwd", "a/../../b", "c:\\a", "\\a"])
def test_names_that_lead_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(CheckpointRefused, match="leads elsewhere"):
        Archive.open(archive(tmp_path / "a.zip", {name: b""}))


def test_two_members_of_one_name_are_refused(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
            file.writestr("a", b"1")
            file.writestr("a", b"2")
    with pytest.raises(CheckpointRefused, match="same name"):
        Archive.open(whole_file(tmp_path / "a.zip"))


def test_a_zip_bomb_is_refused_before_it_unpacks(tmp_path: Path) -> None:
    file = archive(tmp_path / "a.zip", {"a": bytes(1 << 22)}, zipfile.ZIP_DEFLATED)
    content = bytearray((tmp_path / "a.zip").read_bytes())
    at = content.index(b"PK\x01\x02")
    struct.pack_into("<I", content, at + 24, 0xFFFFFFF0)  # claims to unpack to 4 GB
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(CheckpointRefused, match="would unpack to 4,294,967,280"):
        Archive.open(file)


def test_members_that_overlap_are_refused(tmp_path: Path) -> None:
    file = archive(tmp_path / "a.zip", {"a": b"x" * 100, "b": b"y" * 100})
    content = bytearray((tmp_path / "a.zip").read_bytes())
    second = content.index(b"PK\x01\x02", content.index(b"PK\x01\x02") + 4)
    struct.pack_into("<I", content, second + 42, 0)  # the second begins where the first does
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(CheckpointRefused, match="overlap"):
        Archive.open(file)


def test_what_is_small_by_its_nature_is_not_read_when_it_is_large(tmp_path: Path) -> None:
    opened = Archive.open(archive(tmp_path / "a.zip", {"byteorder": b"x" * 1000}))
    with pytest.raises(CheckpointRefused, match="never needs more than 100"):
        opened.read("byteorder", 100)


def test_a_missing_member_is_damage(tmp_path: Path) -> None:
    opened = Archive.open(archive(tmp_path / "a.zip", {"a": b""}))
    with pytest.raises(CheckpointDamaged, match="`b` is missing"):
        opened.stored("b")


def test_encrypted_members_are_refused(tmp_path: Path) -> None:
    file = archive(tmp_path / "a.zip", {"a": b"x"})
    content = bytearray((tmp_path / "a.zip").read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(CheckpointRefused, match="encrypted"):
        Archive.open(file)
