"""Numbers that blocks hand on to their layers are followed to where they are written."""

from pathlib import Path

import pytest

from stetho.capture.text.handed_on import handed_on_at

PROGRAM = """\
class Stage(nn.Module):
    def __init__(self, i, o, p=0.1):
        self.fc = nn.Linear(i, o)
        self.two = nn.Linear(i, 2 * o)
        self.drop = nn.Dropout(p)
WIDE = 32
class Net(nn.Module):
    def __init__(self, n):
        widths = [WIDE]
        for _ in range(2):
            widths.append(max(1, widths[-1] // 8))
        sizes = [8, 1]
        self.stem = Stage(n, WIDE)
        self.stages = nn.Sequential(*[Stage(a, b) for a, b in zip(widths, widths[1:])])
        self.others = nn.ModuleList(Stage(8, size, p=0.9) for size in sizes)
        self.pair = Stage(1, 2), Stage(2, 3)
        for width in (4, 1):
            self.add(Stage(4, width))
        self.spread = Stage(*widths)
"""
WIDTH = ("Linear", "out_features", 1)


@pytest.mark.parametrize(
    ("block", "written"), [(13, 6), (14, 11), (15, 12), (16, None), (18, 17), (19, None), (6, None)]
)
def test_a_width_is_followed_to_where_the_block_gets_it_from(tmp_path: Path, block: int, written: int | None) -> None:
    file = tmp_path / "net.py"
    file.write_text(PROGRAM)
    found = handed_on_at(f"{file}:3", f"{file}:{block}", "Stage", *WIDTH)
    assert found == (f"{file}:{written}" if written else None)


def test_names_count_as_places_do(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text(PROGRAM)
    assert handed_on_at(f"{file}:5", f"{file}:15", "Stage", "Dropout", "p", 0) == f"{file}:15"
    assert handed_on_at(f"{file}:5", f"{file}:13", "Stage", "Dropout", "p", 0) is None


def test_what_is_computed_and_another_class_are_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text(PROGRAM)
    assert handed_on_at(f"{file}:4", f"{file}:13", "Stage", *WIDTH) is None
    assert handed_on_at(f"{file}:3", f"{file}:13", "Other", *WIDTH) is None
