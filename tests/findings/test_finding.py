"""Places and findings as plain data."""

import pytest

from stetho.findings.finding import Finding, Where


@pytest.mark.parametrize(
    ("place", "file", "line"),
    [
        ("train.py:12", "train.py", 12),
        ("C:\\code\\train.py:3", "C:\\code\\train.py", 3),
        ("<stdin>:1", "<stdin>", 1),
        ("train.py", None, None),
        ("train.py:x", None, None),
        ("", None, None),
        (None, None, None),
    ],
)
def test_reads_a_place(place: str | None, file: str | None, line: int | None) -> None:
    where = Where.at_line(place, layer="fc")
    assert (where.file, where.line, where.layer) == (file, line, "fc")


def test_a_note_is_no_alarm() -> None:
    assert [Finding("a", severity, 1.0, "t").is_alarm for severity in ("error", "warning", "note")] == [
        True,
        True,
        False,
    ]
