"""Where the indices of an embedding are made."""

from pathlib import Path

import pytest

from stetho.capture.text.asked import asked_at


@pytest.mark.parametrize(
    ("body", "at", "wanted"),
    [
        ("ids = ids.clamp(max=0)\n    return self.head(self.words(ids))", 3, 2),
        ("rows = ids\n    rows = rows % 7\n    return self.words(rows)", 4, 3),
        ("return self.words(ids)", 2, None),
        ("return self.words(ids % 7)", 2, None),
        ("return self.words(ids)\n    ids = 3", 2, None),
    ],
)
def test_finds_the_line_that_makes_them(tmp_path: Path, body: str, at: int, wanted: int | None) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"def forward(self, ids):\n    {body}\n")
    assert asked_at(f"{file}:{at}", "net.words") == (f"{file}:{wanted}" if wanted is not None else None)
