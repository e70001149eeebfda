"""What a statement takes apart, found without asking for anything again."""

from pathlib import Path
from typing import Any

from stetho.capture.frames import places_of
from stetho.capture.torch.failure.unpacking import unpacked
from stetho.explaining.scene import Unpacked

BEGINNING = "import torch\nfrom torch.utils.data import DataLoader, IterableDataset\n"


def found(tmp_path: Path, code: str, scope: dict[str, Any] | None = None) -> Unpacked | None:
    file = tmp_path / "program.py"
    file.write_text(BEGINNING + code)
    scope = {} if scope is None else scope
    try:
        exec(compile(file.read_text(), str(file), "exec"), scope)
    except Exception as error:
        return unpacked(places_of(error.__traceback__.tb_next if error.__traceback__ is not None else None))
    raise AssertionError("the program did not fail")


def test_a_loader_is_not_begun_again(tmp_path: Path) -> None:
    scope: dict[str, Any] = {}
    code = """
asked = []
class Noted:
    def __len__(self):
        return 4
    def __getitem__(self, index):
        asked.append(index)
        return index, index, index
loader = DataLoader(Noted(), batch_size=2)
for x, y in loader:
    pass
"""
    told = found(tmp_path, code, scope)
    assert told is not None
    assert (told.subject, told.kind, told.parts) == ("a batch of `loader`", "values", ("index",) * 3)
    assert scope["asked"] == [0, 1]


def test_what_goes_around_a_loader_is_looked_through(tmp_path: Path) -> None:
    told = found(
        tmp_path, "def tqdm(x): return x\npairs = [(1, 2, 3)]\nfor i, (x, y) in tqdm(enumerate(pairs)):\n    pass\n"
    )
    assert told is not None
    assert (told.targets, told.source, told.parts) == ("x, y", "pairs", ("int", "int", "int"))


def test_a_stream_is_not_known_before_it_flows(tmp_path: Path) -> None:
    code = """
class Stream(IterableDataset):
    def __iter__(self):
        yield 1, 2, 3
loader = DataLoader(Stream())
for x, y in loader:
    pass
"""
    told = found(tmp_path, code)
    assert told is not None
    assert (told.kind, told.parts) == ("unknown", ())


def test_in_a_comprehension_too(tmp_path: Path) -> None:
    told = found(tmp_path, "pairs = [(1, 2, 3)]\nfirst = [x for x, y in pairs]\n")
    assert told is not None
    assert (told.targets, told.source) == ("x, y", "pairs")


def test_a_part_of_a_part_is_only_named(tmp_path: Path) -> None:
    told = found(tmp_path, "pair = 1, (2, 3, 4)\na, (b, c) = pair\n")
    assert told is not None
    assert (told.targets, told.subject, told.kind) == ("b, c", "a part of `pair`", "unknown")


def test_a_statement_that_takes_nothing_apart_is_none(tmp_path: Path) -> None:
    assert found(tmp_path, "x = int('a')\n") is None
    assert unpacked([]) is None
