"""Tests of the terminal view of a data pipeline."""

from io import StringIO

from stetho.explaining.report import ErrorReport
from stetho.pipeline.facts import Batches, Duplicates, Failure, Field, Report, Split, Stage
from stetho.views.data import listed, print_data

LABEL = Field("y", "int64", "[]", 9, low=0, high=1, counts=(("0", 6), ("1", 3)), is_label=True, unique=2)
IMAGE = Field("x", "float32", "[1, 8, 8]", 9, low=0, high=1, mean=0.5, std=0.25, zeros=0.1)


def report(**parts):
    given = {"length": 9, "samples": 9, "seconds": 1.0, "median": 0.001, "slowest": ((4, 0.5),)} | parts
    return Report(
        "feed.py:loader", "DataLoader over Rows", facts=(("sampler", "RandomSampler"),), fields=(IMAGE, LABEL), **given
    )


def drawn(monkeypatch, width=100, **parts):
    monkeypatch.setenv("COLUMNS", str(width))
    written = StringIO()
    print_data(report(**parts), written)
    return written.getvalue()


def test_tells_the_whole_in_a_few_tables(monkeypatch):
    shown = drawn(
        monkeypatch,
        batches=Batches(3, (4, 1), (Field("x", "float32", "[4, 8]", 3, padding=0.25, filler=0.0),)),
        duplicates=Duplicates(9, 2),
        splits=(Split("val", 5, (IMAGE,), 1, ((0, 0),), Duplicates(5)),),
        remarks=("`x` is odd",),
        notes=("stopped",),
    )
    for part in (
        "stetho data · feed.py:loader · DataLoader over Rows · 9 of 9 samples",
        "slowest 500 ms (sample 4)",
        "RandomSampler",
        "25 % of 0",
        "2 values · 0: 6 · 1: 3",
        "2 of 9 samples",
        "1 of the 5 samples of val",
        "`x` is odd",
        "stopped",
    ):
        assert part in shown


def test_stays_within_a_narrow_terminal(monkeypatch):
    shown = drawn(monkeypatch, width=60, remarks=("a remark that is far longer than any line of a terminal " * 3,))
    assert max(map(len, shown.splitlines()[1:])) <= 60


def test_a_failure_comes_first(monkeypatch):
    failures = tuple(Failure("sample", n, n, ErrorReport("OSError", "broken", "feed.py:3", None)) for n in range(20))
    shown = drawn(monkeypatch, failures=failures)
    assert shown.index("cannot be made") < shown.index("samples, one by one")
    assert "20 failures in all" in shown


def test_lists_transforms_and_what_takes_time_with_their_callers():
    stages = [
        Stage("get", 0, 1.0, 1),
        Stage("quick", 1, 0.001, 1),
        Stage("caller", 1, 0.001, 1),
        Stage("Crop", 2, 0.0001, 1, is_chained=True),
        Stage("slow", 1, 0.9, 1),
    ]
    assert [stage.name for stage in listed(stages)] == ["get", "caller", "Crop", "slow"]
