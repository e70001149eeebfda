"""A data pipeline as plain data for JSON: all but the pictures."""

from dataclasses import asdict
from typing import Any

from stetho.pipeline.facts import Report

FORMAT = 1
_PICTURES = {"picture", "shown", "first"}


def data_document(report: Report) -> dict[str, Any]:
    """The whole report.

    >>> report = Report("loader", "list", 0, 0, 0.0, 0.0, (), (), ())
    >>> data_document(report)["format"], "shown" in data_document(report)
    (1, False)
    """
    document: dict[str, Any] = _without_pictures(asdict(report))
    return {"format": FORMAT} | document


def _without_pictures(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_pictures(inner) for key, inner in value.items() if key not in _PICTURES}
    if isinstance(value, list | tuple):
        return [_without_pictures(inner) for inner in value]
    # Keys of samples may be anything.
    return value if isinstance(value, str | int | float | bool | None) else str(value)
