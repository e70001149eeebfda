"""Reads the short texts that describe tensors and layers: "float32[32, 5]" and "8, eps=1e-05, affine=True"."""

import re

_TENSOR = re.compile(r"\s*(\w+)\s*\[([\d,\s]*)\]")
_PART = re.compile(r"(?:[^,(\[{]|\([^)]*\)|\[[^\]]*\]|\{[^}]*\})+")


def shape_of(text: str | None) -> tuple[int, ...] | None:
    """The shape in the description of a tensor.

    >>> shape_of("float32[32, 5]"), shape_of("int64[]"), shape_of("a tuple"), shape_of(None)
    ((32, 5), (), None, None)
    """
    match = _TENSOR.match(text or "")
    return tuple(int(part) for part in match[2].split(",") if part.strip()) if match else None


def dtype_of(text: str | None) -> str | None:
    """The type in the description of a tensor.

    >>> dtype_of("float32[32, 5]"), dtype_of("a tuple")
    ('float32', None)
    """
    match = _TENSOR.match(text or "")
    return match[1] if match else None


def settings_of(text: str) -> dict[str, str]:
    """What a layer says of itself, by name; values without a name are numbered.

    >>> settings_of("1, 16, kernel_size=(3, 3), bias=False")
    {'0': '1', '1': '16', 'kernel_size': '(3, 3)', 'bias': 'False'}
    """
    settings: dict[str, str] = {}
    for place, part in enumerate(_PART.findall(text)):
        name, equals, value = part.strip().partition("=")
        if equals:
            settings[name.strip()] = value.strip()
        elif name:
            settings[str(place)] = name
    return settings


def number_in(text: str | None) -> float | None:
    """A setting as a number; of several in brackets, the first.

    >>> number_in("1e-05"), number_in("(3, 3)"), number_in("True"), number_in(None)
    (1e-05, 3.0, None, None)
    """
    match = re.fullmatch(r"[(\[]?\s*(-?[\d.]+(?:e[+-]?\d+)?)(?:\s*,.*)?[)\]]?", text or "")
    try:
        return float(match[1]) if match else None
    except ValueError:
        return None
