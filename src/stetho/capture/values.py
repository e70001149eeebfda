"""Values of variables as short text. No code of the program runs for it, and nothing long or secret is shown."""

import re
from collections.abc import Callable
from itertools import islice
from pathlib import PurePath
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

LONGEST = 120
MOST_ELEMENTS = 6
DEEPEST = 2
HIDDEN = "<hidden>"

_SECRET = re.compile(r"passw|secret|token|api_?key|auth|credential|private|cookie|^key$|_key$", re.IGNORECASE)
_PLAIN_NUMBERS = (int, float, complex, bool, type(None))
_NO_VALUES = (ModuleType, FunctionType, BuiltinFunctionType, MethodType, type)

Describe = Callable[[object], str | None]
"""Somebody who knows more kinds of values, such as tensors; None for what he does not know."""


def is_shown(name: str, value: object) -> bool:
    """Whether a variable says anything: modules, functions and classes do not, nor do names that python gave.

    >>> is_shown("lr", 0.1), is_shown("re", re), is_shown("__doc__", ""), is_shown(".0", iter([]))
    (True, False, False, False)
    """
    return not name.startswith(("__", ".")) and not isinstance(value, _NO_VALUES)


def value_text(value: object, name: str = "", describe: Describe = lambda _: None, depth: int = 0) -> str:
    """A value in one line.

    >>> value_text([1, "two", 3.0]), value_text("abc", "password"), value_text({"api_key": "abc", "lr": 0.1})
    ("[1, 'two', 3.0]", '<hidden>', "{'api_key': <hidden>, 'lr': 0.1}")
    """
    try:
        return _clipped(_text(value, name, describe, depth))
    except Exception:  # an object that lies about its own type or length
        return f"<{type(value).__name__}>"


def _text(value: Any, name: str, describe: Describe, depth: int) -> str:
    kind = type(value)
    if kind in _PLAIN_NUMBERS:
        return repr(value) if kind is not int or abs(value) < 10**30 else "a very large number"
    known = describe(value)
    if known is not None:
        return known
    if _SECRET.search(name):
        return HIDDEN
    if kind is str or kind is bytes:
        return repr(value[:LONGEST])
    if kind in (list, tuple, set, frozenset, dict):
        return _container(value, name, describe, depth)
    if isinstance(value, PurePath):
        return f"{kind.__name__}({str(value)!r})"
    if kind.__module__ == "numpy" and kind.__name__ == "ndarray":
        return f"array {value.dtype}{list(value.shape)}"
    return _object(value, describe, depth)


def _container(value: Any, name: str, describe: Describe, depth: int) -> str:
    size, below = len(value), depth + 1
    if below > DEEPEST and size:
        return f"<{type(value).__name__} of {size:,}>"
    parts = []
    for each in islice(value, MOST_ELEMENTS):
        if type(value) is dict:
            inner = value_text(value[each], each if type(each) is str else name, describe, below)
            parts.append(f"{value_text(each, '', describe, below)}: {inner}")
        else:
            parts.append(value_text(each, name, describe, below))
    more = [f"… {size:,} in all"] if size > MOST_ELEMENTS else []
    opening, closing = "[]" if type(value) is list else "()" if type(value) is tuple else "{}"
    return f"{opening}{', '.join(parts + more)}{closing}"


def _object(value: object, describe: Describe, depth: int) -> str:
    """The class and the plain fields of an object; its own `__repr__` could do anything."""
    name = type(value).__name__
    try:
        fields = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return f"<{name}>"
    if type(fields) is not dict or depth >= 1 or not fields:
        return f"<{name}>"
    shown = {key: each for key, each in fields.items() if type(key) is str and is_shown(key, each)}
    parts = [f"{key}={value_text(each, key, describe, depth + 1)}" for key, each in list(shown.items())[:MOST_ELEMENTS]]
    more = ["…"] if len(shown) > MOST_ELEMENTS else []
    return f"{name}({', '.join(parts + more)})"


def _clipped(text: str) -> str:
    line = " ".join(text.split()) if "\n" in text else text
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
