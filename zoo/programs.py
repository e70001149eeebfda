"""The programs of the zoo, and what their headers say of them."""

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

FOLDER = Path(__file__).parents[1] / "tests" / "programs"

Split = Literal["train", "test"]


@dataclass(frozen=True, slots=True)
class Program:
    """One program: the check that should name its fault, others that would be right as well, and the line of it.

    `lines` are all lines where the fault is mended just as well, the one that it was planted at first.
    """

    path: Path
    fault: str | None
    also: tuple[str, ...]
    split: Split
    lines: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        return self.path.stem

    def is_right(self, check: str) -> bool:
        """Whether a finding of that check tells what is wrong with this program."""
        return check == self.fault or check in self.also


def read_program(path: Path) -> Program:
    """Read the header of a program; a fault that is not said, or a split that is none, is an error."""
    header = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    fields = dict(re.findall(r"^(fault|also|split|line):[ \t]*(.*)$", header, re.MULTILINE))
    split = fields.get("split", "train")
    if split not in ("train", "test"):
        raise ValueError(f"{path.name}: split is {split!r}, not train or test")
    is_faulty = path.parent.name == "faulty"
    if is_faulty != ("fault" in fields):
        raise ValueError(f"{path.name}: programs in faulty/ say `fault:` in their header, and no others do")
    also = tuple(name.strip() for name in fields.get("also", "").split(",") if name.strip())
    lines = tuple(int(number) for number in fields.get("line", "").split(",") if number.strip())
    return Program(path, fields.get("fault"), also, split, lines)  # type: ignore[arg-type]  # one of the two, as seen


def all_programs(folder: Path = FOLDER) -> list[Program]:
    """Every program, the faulty ones first."""
    files = [file for kind in ("faulty", "healthy") for file in sorted((folder / kind).glob("*.py"))]
    return [read_program(file) for file in files]
