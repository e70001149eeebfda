"""Names and texts of files do nothing to a terminal, and every failure is one clear error."""

from pathlib import Path

import pytest

from stetho.checkpoints.refusing import damage_named, refuse_bomb, safe_name, shown
from stetho.errors import CheckpointDamaged, CheckpointError, CheckpointRefused, UsageError


@pytest.mark.parametrize("name", ["a\x1b[31mred", "a\nb", "a\x07", "\u202egnp.a", "a" * 10_001, "\ud800"])
def test_names_that_do_something_to_a_terminal_are_refused(name: str) -> None:
    with pytest.raises(CheckpointRefused) as raised:
        safe_name(name)
    assert "\x1b" not in str(raised.value)
    assert len(str(raised.value)) < 500


def test_names_in_any_language_are_fine() -> None:
    assert safe_name("слой.вес/重み") == "слой.вес/重み"


def test_texts_of_a_file_are_escaped_in_messages() -> None:
    assert shown("a\x1b[2J\n") == "a\\x1b[2J\\n"


def test_any_error_of_a_library_becomes_damage_that_names_the_place() -> None:
    with pytest.raises(CheckpointDamaged, match=r"w\.bin: cannot be read \(no such key\)"), damage_named("w.bin"):
        raise ValueError("no such key")
    with pytest.raises(CheckpointRefused, match=r"w\.bin: a bomb"), damage_named("w.bin"):
        raise CheckpointRefused("a bomb")
    with pytest.raises(CheckpointError, match=r"w\.bin: may not be read \(denied\)"), damage_named("w.bin"):
        raise PermissionError(13, "denied")
    with pytest.raises(UsageError, match=r"^other$"), damage_named("w.bin"):
        raise UsageError("other")


def test_files_of_mostly_zeros_may_be_small() -> None:
    refuse_bomb(Path("a.npz"), 10_000, 1 << 30)
    with pytest.raises(CheckpointRefused, match=r"a\.npz: 10,000 bytes would unpack"):
        refuse_bomb(Path("a.npz"), 10_000, (1 << 30) + 1)


def test_the_name_of_a_file_is_escaped_too_and_told_once() -> None:
    path = "a\x1b[31m.pt"
    with pytest.raises(CheckpointError) as raised, damage_named(path):
        raise CheckpointError(f"{path}: of no known format")
    assert str(raised.value) == "a\\x1b[31m.pt: of no known format"
