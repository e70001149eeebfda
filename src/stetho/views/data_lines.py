"""Single lines about a data pipeline, the same in the terminal and on its page."""

from collections.abc import Iterator, Sequence

from stetho.pipeline.facts import Failure, Key, Report
from stetho.views import text

LONGEST_MESSAGE = 200
SLOW = 20
"""A sample is called slow when it takes so many times as long as the one in the middle."""
WORTH_TELLING = 0.01


def failed(failure: Failure) -> str:
    """Which sample or batch could not be made, and why."""
    message = " ".join(failure.error.message.split())
    why = f"{failure.error.kind}: {text.clipped(message, LONGEST_MESSAGE)}" if message else failure.error.kind
    if failure.step == "order":
        return f"the sampler fails after {text.plural(failure.position, 'sample')}: {why}"
    if failure.step == "batch":
        keys = failure.key if isinstance(failure.key, tuple) else (failure.key,)
        odd = f"{failure.odd} · " if failure.odd else ""
        return f"{odd}the batch of samples {keys_text(keys)} cannot be put together: {why}"
    at = f"{failure.position + 1:,}{_ordinal(failure.position + 1)}"
    return f"sample {failure.key} (the {at} of the epoch) cannot be made: {why}"


def keys_text(keys: Sequence[Key], most: int = 8) -> str:
    """Some keys in a row.

    >>> keys_text([3, 5, 8], most=2)
    '3, 5, … 3 in all'
    """
    listed = ", ".join(map(str, keys[:most]))
    return listed if len(keys) <= most else f"{listed}, … {len(keys):,} in all"


def _ordinal(number: int) -> str:
    return "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def facts(report: Report) -> Iterator[tuple[str, list[str]]]:
    """Label and parts of each line about the whole."""
    took = [f"{duration(report.median)} a sample"] if report.median else []
    key, slowest = report.slowest[0] if report.slowest else (None, 0.0)
    if slowest > max(SLOW * report.median, WORTH_TELLING):
        took.append(f"slowest {duration(slowest)} (sample {key})")
    # Most of it is our own: no rate of the pipeline can be made of it.
    took.append(f"{text.seconds(report.seconds)} to step through and look at all" if report.seconds else "")
    yield "time", [part for part in took if part]
    yield from ((label, [value]) for label, value in report.facts)


def duration(seconds: float) -> str:
    """A stretch of time, also of a few millionths of a second.

    >>> duration(0.0000049), duration(0.0042)
    ('4.9 µs', '4.2 ms')
    """
    return f"{seconds * 1e6:.3g} µs" if seconds < 1e-3 else text.seconds(seconds)
