"""What is printed and written."""

from stetho.checks.figures import read_figures
from zoo import report


def test_a_line_tells_what_became_of_a_program(outcome):
    assert report.line_of(outcome("graph-cut", ["graph-cut"])).startswith("first ")
    assert report.line_of(outcome("graph-cut", ["dead-relu", "graph-cut"])).startswith("FOUND ")
    assert report.line_of(outcome("graph-cut", ["dead-relu"])).startswith("MISSED ")
    assert report.line_of(outcome(None, ["dead-relu"])).startswith("ALARM ")
    assert report.line_of(outcome(None)).startswith("quiet ")


def test_both_splits_are_reported(outcome):
    rows = report.summary([outcome("graph-cut", ["graph-cut"]), outcome("graph-cut", [], split="test")])
    assert [(row[0], row[2]) for row in rows] == [("train", "100% (1/1)"), ("test", "0% (0/1)"), ("all", "50% (1/2)")]


def test_what_is_written_is_what_explain_reads(outcome, tmp_path, monkeypatch):
    monkeypatch.setattr(report, "PAGE", tmp_path / "calibration.md")
    monkeypatch.setattr(report, "FIGURES", tmp_path / "calibration.json")
    report.write([outcome("graph-cut", ["graph-cut"]), outcome("graph-cut", ["dead-relu"]), outcome(None)])
    figures = read_figures(tmp_path / "calibration.json")["graph-cut"]
    assert (figures.precision, figures.recall, figures.programs) == (1.0, 0.5, 2)
    assert (
        "| `graph-cut` | 50% (1/2) | 50% (1/2) | 100% (1/1) | 0% (0/1) |" in (tmp_path / "calibration.md").read_text()
    )
