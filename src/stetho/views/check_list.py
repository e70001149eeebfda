"""All checks as a table: name, family, severity, what was measured of it, and its one line."""

from collections.abc import Iterable, Mapping
from typing import Any

from stetho.checks.declare import Check
from stetho.checks.figures import Figures
from stetho.views import text
from stetho.views.table import Column

COLUMNS = (
    Column("check", is_text=True),
    Column("family", is_text=True),
    Column("severity", is_text=True),
    Column("precision"),
    Column("recall"),
    Column("finds", is_text=True),
)


def entries(checks: Iterable[Check], figures: Mapping[str, Figures]) -> list[dict[str, Any]]:
    """What is listed of each check, ready for JSON."""
    return [
        {
            "name": check.name,
            "family": check.family,
            "severity": check.severity,
            "preview": check.preview,
            "summary": check.summary,
            "explains": list(check.explains),
            "precision": figures[check.name].precision if check.name in figures else None,
            "recall": figures[check.name].recall if check.name in figures else None,
        }
        for check in checks
    ]


def rows(listed: Iterable[Mapping[str, Any]]) -> list[list[str]]:
    """The same as rows of the table."""
    return [
        [
            each["name"],
            each["family"] + (" (preview)" if each["preview"] else ""),
            each["severity"],
            text.share(each["precision"]),
            text.share(each["recall"]),
            each["summary"],
        ]
        for each in listed
    ]
