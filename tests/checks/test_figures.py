"""Measured figures are shown where there are some, and missed quietly where there are none."""

from pathlib import Path

import pytest

from stetho.checks.figures import Figures, read_figures


def test_no_file_means_no_figures(tmp_path: Path) -> None:
    assert read_figures(tmp_path / "gone.json") == {}


@pytest.mark.parametrize("content", ["", "[]", '{"checks": 3}', '{"checks": {"a": 3}}'])
def test_nonsense_means_no_figures(tmp_path: Path, content: str) -> None:
    (tmp_path / "figures.json").write_text(content)
    assert read_figures(tmp_path / "figures.json") == {}


def test_what_was_not_measured_is_missing(tmp_path: Path) -> None:
    (tmp_path / "figures.json").write_text('{"checks": {"a": {"recall": 0.5, "top1": 1}}}')
    assert read_figures(tmp_path / "figures.json") == {"a": Figures(None, 0.5, 0)}
