"""Numbers as a person reads them: one form for each kind, the same in every view."""

import functools
import itertools
import math
from collections.abc import Iterable, Sequence

MISSING = "–"
BARS = "▁▂▃▄▅▆▇█"


def number(value: float | None) -> str:
    """A measured number, to four digits.

    >>> number(0.43219), number(1234.5678), number(0.0000123), number(float("nan")), number(None)
    ('0.4322', '1235', '1.23e-05', 'nan', '–')
    """
    if value is None:
        return MISSING
    if not math.isfinite(value):
        return str(value)
    size = abs(value)
    return f"{value:.2e}" if size >= 1e6 or 0 < size < 1e-4 else f"{value:.4g}" if size < 1000 else f"{value:.0f}"


def count(value: int | None) -> str:
    """A number of things.

    >>> count(1234567)
    '1,234,567'
    """
    return MISSING if value is None else f"{value:,}"


def plural(value: int, one: str, many: str = "") -> str:
    """A number of things with their name.

    >>> plural(1, "step"), plural(2000, "step"), plural(0, "index", "indices")
    ('1 step', '2,000 steps', '0 indices')
    """
    return f"{count(value)} {one if value == 1 else many or one + 's'}"


def amount(value: int | None) -> str:
    """A large number of things, to three digits.

    >>> amount(950), amount(109_386), amount(7_241_000_000)
    ('950', '109 k', '7.24 G')
    """
    return MISSING if value is None else _scaled(value, 1000, ("", "k", "M", "G", "T"))


def size(value: int | None) -> str:
    """A number of bytes.

    >>> size(512), size(3_670_016), size(None)
    ('512 B', '3.5 MiB', '–')
    """
    return MISSING if value is None else _scaled(value, 1024, ("B", "KiB", "MiB", "GiB", "TiB"))


def seconds(value: float | None) -> str:
    """A stretch of time.

    >>> seconds(0.0042), seconds(12.34), seconds(83), seconds(7384), seconds(200_000)
    ('4.2 ms', '12.3 s', '1 min 23 s', '2 h 3 min', '2 d 7 h')
    """
    if value is None or not math.isfinite(value):
        return MISSING
    if value < 1:
        return f"{value * 1000:.3g} ms"
    if value < 59.95:
        return f"{value:.1f} s"
    minutes, rest = divmod(round(value), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 48 else f"{hours // 24} d {hours % 24} h"


def share(value: float | None) -> str:
    """A part of the whole.

    >>> share(0.0183), share(0.5), share(0.00002), share(None)
    ('1.8 %', '50 %', '<0.1 %', '–')
    """
    if value is None or not math.isfinite(value):
        return MISSING
    if 0 < value < 0.001:
        return "<0.1 %"
    return f"{value * 100:.0f} %" if value >= 0.0995 or value == 0 else f"{value * 100:.1f} %"


def rate(value: float | None) -> str:
    """A number of things in a second.

    >>> rate(52.13), rate(0.251), rate(4210.7)
    ('52.1', '0.251', '4,211')
    """
    if value is None or not math.isfinite(value):
        return MISSING
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def spark_line(values: Sequence[float], width: int) -> str:
    """A series as a row of bars: the mean of each stretch; a cross where nothing in it was finite.

    >>> spark_line([5, 4, 3, 2, 1, float("nan")], 6)
    '█▆▅▃▁×'
    """
    width = min(width, len(values))
    edges = [len(values) * place // width for place in range(width + 1)] if width else []
    means = [_finite_mean(values[first:last]) for first, last in itertools.pairwise(edges)]
    finite = [mean for mean in means if mean is not None]
    if not finite:
        return "×" * width
    low, span = min(finite), max(finite) - min(finite)
    steps = len(BARS) - 1
    return "".join("×" if mean is None else BARS[round((mean - low) / span * steps) if span else 0] for mean in means)


def clipped(line: str, width: int) -> str:
    """A line cut to a width.

    >>> clipped("a long line", 6)
    'a lon…'
    """
    return line if len(line) <= width else line[: max(0, width - 1)] + "…"


def _finite_mean(values: Iterable[float]) -> float | None:
    finite = [value for value in values if math.isfinite(value)]
    return sum(finite) / len(finite) if finite else None


@functools.lru_cache(maxsize=256)
def _scaled(value: float, base: int, units: tuple[str, ...]) -> str:
    # 999.5 would be shown as 1000 with three digits: it belongs to the next unit.
    power, shown = 0, float(value)
    while shown >= base * 0.9995 and power < len(units) - 1:
        power, shown = power + 1, shown / base
    digits = 0 if power == 0 or shown >= 99.95 else 1 if shown >= 9.995 or base == 1024 else 2
    return f"{shown:.{digits}f} {units[power]}".rstrip()
