"""Tests of single lines about a data pipeline."""

import pytest

from stetho.explaining.report import ErrorReport
from stetho.pipeline.facts import Failure, Report
from stetho.views.data_lines import facts, failed

ERROR = ErrorReport("KeyError", "'name'", "feed.py:3", None)


@pytest.mark.parametrize(
    ("failure", "line"),
    [
        (Failure("sample", 0, 7, ERROR), "sample 7 (the 1st of the epoch) cannot be made: KeyError: 'name'"),
        (Failure("sample", 11, 7, ERROR), "sample 7 (the 12th of the epoch) cannot be made: KeyError: 'name'"),
        (Failure("batch", 3, (1, 2), ERROR), "the batch of samples 1, 2 cannot be put together: KeyError: 'name'"),
        (
            Failure("batch", 3, (1, 2), ERROR, "sample 2 is odd"),
            "sample 2 is odd · the batch of samples 1, 2 cannot be put together: KeyError: 'name'",
        ),
        (Failure("order", 3, None, ERROR), "the sampler fails after 3 samples: KeyError: 'name'"),
    ],
)
def test_says_what_failed(failure, line):
    assert failed(failure) == line


def test_a_sample_is_slow_only_beside_the_others():
    even = Report("a", "b", 9, 9, 1.0, 0.1, ((0, 0.2),), (), ())
    odd = Report("a", "b", 9, 9, 1.0, 0.1, ((0, 9.0),), (), ())
    assert "slowest" not in str(list(facts(even)))
    assert "slowest 9.0 s (sample 0)" in str(list(facts(odd)))


def test_the_time_of_a_sample_is_told_apart_from_that_of_looking_at_it() -> None:
    report = Report("a", "b", 600, 600, 0.144, 2e-6, (), (), ())
    assert dict(facts(report))["time"] == ["2 µs a sample", "144 ms to step through and look at all"]
