"""Values out of JSON documents that somebody else may have written: of the wanted kind, or nothing."""

import math
from typing import Any


def mapping(value: object) -> dict[str, Any]:
    """A JSON object, or an empty one.

    >>> mapping({"a": 1}), mapping(3)
    ({'a': 1}, {})
    """
    return value if isinstance(value, dict) else {}


def mappings(value: object) -> list[dict[str, Any]]:
    """The JSON objects of a list.

    >>> mappings([{"a": 1}, 3]), mappings(None)
    ([{'a': 1}], [])
    """
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def texts(value: object) -> dict[str, str]:
    """The texts of a JSON object, by their names.

    >>> texts({"a": "one", "b": 2}), texts(None)
    ({'a': 'one'}, {})
    """
    return {name: each for name, each in mapping(value).items() if isinstance(each, str)}


def number(value: object) -> float | None:
    """A number; JSON has no word for those that are not finite, so they come as texts.

    >>> number(3), number("NaN"), number("Infinity"), number("many"), number(True)
    (3.0, nan, inf, None, None)
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            return math.inf
    return (
        {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}.get(value) if isinstance(value, str) else None
    )


def whole(value: object) -> int | None:
    """A whole number.

    >>> whole(3), whole(3.5), whole(None)
    (3, None, None)
    """
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def line(value: object) -> str | None:
    """A text on one line, without anything that a terminal would obey.

    >>> line("two\\nlines \\x1b[31mred"), line("  "), line(3)
    ('two lines [31mred', None, None)
    """
    if not isinstance(value, str):
        return None
    return "".join(letter for letter in " ".join(value.split()) if letter.isprintable()) or None
