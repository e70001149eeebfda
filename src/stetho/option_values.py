"""Readers of option values: each takes what a person wrote (text, TOML or Python) and gives the value.

A reader raises ValueError whose text is the rule that the value broke, as in "must be a whole number from 1 up".
"""

import math
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from stetho.conditions import Condition

WAYS = ("compiled", "compiled-parts", "bf16", "fp16", "float64", "checkpointing")
DEVICES = ("cpu", "cuda", "mps", "xpu")


@dataclass(frozen=True, slots=True)
class Dump:
    """Which tensors are saved at which steps: a pattern for the name and ranges of steps.

    >>> dump = Dump.parse("encoder.*@1,10,100-200")
    >>> dump.covers(150), dump.covers(11), dump.matches("encoder.0")
    (True, False, True)
    >>> Dump.parse("head").steps
    ((1, 1),)
    """

    pattern: str
    steps: tuple[tuple[int, int], ...]

    @classmethod
    def parse(cls, text: str) -> "Dump":
        """Read `PATTERN` or `PATTERN@STEPS`, where STEPS is a comma separated list of numbers and ranges."""
        pattern, at, steps = text.partition("@")
        if not pattern.strip():
            raise ValueError("must begin with a pattern for names, as in encoder.*@1,10,100-200")
        return cls(pattern.strip(), step_ranges(steps) if at else ((1, 1),))

    def covers(self, step: int) -> bool:
        """Whether tensors of this step are to be saved."""
        return any(first <= step <= last for first, last in self.steps)

    def matches(self, name: str) -> bool:
        """Whether a tensor of this name is to be saved."""
        return fnmatchcase(name, self.pattern)


def step_ranges(text: str) -> tuple[tuple[int, int], ...]:
    """First and last step of each part of a list such as 1,10,100-200.

    >>> step_ranges("1, 10, 100-200")
    ((1, 1), (10, 10), (100, 200))
    """
    ranges = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,18})\s*(?:-\s*([0-9]{1,18})\s*)?", part)
        first = int(match[1]) if match else 0
        last = int(match[2] or match[1]) if match else 0
        if not 1 <= first <= last:
            raise ValueError("must list steps from 1 up and ranges that rise, as in 1,10,100-200")
        ranges.append((first, last))
    return tuple(ranges)


def positive_number(value: object) -> int:
    """A whole number from 1 up.

    >>> positive_number("10")
    10
    """
    number = _whole(value)
    if number is None or number < 1:
        raise ValueError("must be a whole number from 1 up")
    return number


def count(value: object) -> int:
    """A whole number from 0 up; a bare switch counts once.

    >>> count(True), count("3")
    (1, 3)
    """
    number = int(value) if isinstance(value, bool) else _whole(value)
    if number is None or number < 0:
        raise ValueError("must be a whole number from 0 up")
    return number


def seconds(value: object) -> float:
    """A number of seconds from 0 up.

    >>> seconds("2.5")
    2.5
    """
    number = _decimal(value)
    if not 0 <= number < math.inf:
        raise ValueError("must be a number of seconds from 0 up")
    return number


def positive_seconds(value: object) -> float:
    """A number of seconds above 0.

    >>> positive_seconds("60")
    60.0
    """
    number = _decimal(value)
    if not 0 < number < math.inf:
        raise ValueError("must be a number of seconds above 0")
    return number


def share(value: object) -> float:
    """A share of the whole, written as a percentage or as a fraction.

    >>> share("5%"), share("5 %"), share(0.05)
    (0.05, 0.05, 0.05)
    """
    text = value.strip() if isinstance(value, str) else ""
    number = _decimal(text[:-1]) / 100 if text.endswith("%") else _decimal(value)
    if not 0 < number <= 1:
        raise ValueError('must be a share above 0 and up to 1, as in "5%" or 0.05')
    return number


def switch(value: object) -> bool:
    """True or false, and nothing that merely looks like it.

    >>> switch(True)
    True
    """
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def patterns(value: object) -> tuple[str, ...]:
    """Patterns for names: one text with commas, or a list of such texts.

    >>> patterns(["encoder.*, head", "fc1"])
    ('encoder.*', 'head', 'fc1')
    """
    parts = tuple(part.strip() for text in _texts(value) for part in text.split(","))
    if not parts or not all(parts):
        raise ValueError('must be patterns for names, as in "encoder.*" or ["encoder.*", "head"]')
    return parts


def conditions(value: object) -> tuple[str, ...]:
    """Conditions under which a program is stopped: one text, or a list of texts.

    >>> conditions("loss > 10")
    ('loss > 10',)
    """
    return tuple(Condition.parse(text).text for text in _texts(value))


def dumps(value: object) -> tuple[str, ...]:
    """Texts that `Dump.parse` understands; commas belong to the steps.

    >>> dumps("encoder.*@1,10")
    ('encoder.*@1,10',)
    """
    texts = tuple(_texts(value))
    for text in texts:
        Dump.parse(text)
    return texts


def one_of(*choices: str) -> Callable[[object], str]:
    """A reader that takes one of a few words.

    >>> one_of("all", "parameters")("all")
    'all'
    """

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError(f"must be one of: {', '.join(choices)}")
        return value

    return read


def way(value: object) -> str:
    """A way to train a model: the same program must give the same results in all of them, as far as rounding goes.

    >>> way("bf16"), way("compiled:aot_eager"), way("cuda:0")
    ('bf16', 'compiled:aot_eager', 'cuda:0')
    """
    name = value.partition(":")[0] if isinstance(value, str) else ""
    if not isinstance(value, str) or name not in (*WAYS, *DEVICES):
        raise ValueError(f"must be one of: {', '.join(WAYS)}, or a device: {', '.join(DEVICES)}")
    return value


def function_name(value: object) -> str:
    """The name of a function in a module.

    >>> function_name("project.setup:prepare")
    'project.setup:prepare'
    """
    if not isinstance(value, str) or not re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*", value):
        raise ValueError("must name a function, as in package.module:function")
    return value


def folder(value: object) -> str:
    """The path of a folder.

    >>> folder("runs/today")
    'runs/today'
    """
    return _path(value, "a folder")


def file(value: object) -> str:
    """The path of a file.

    >>> file("findings.json")
    'findings.json'
    """
    return _path(value, "a file")


def files(value: object) -> tuple[str, ...]:
    """Paths of files, one or several.

    >>> files("my_checks.py"), files(["a.py", "b.py"])
    (('my_checks.py',), ('a.py', 'b.py'))
    """
    return tuple(map(file, value if isinstance(value, list | tuple) else [value]))


def tables(value: object) -> dict[str, dict[str, object]]:
    """Tables by name, as TOML has them.

    >>> tables({"loss-plateau": {"share": 0.5}})
    {'loss-plateau': {'share': 0.5}}
    """
    if not isinstance(value, dict):
        raise ValueError("must be tables by the name of a check")
    for name, table in value.items():
        if not isinstance(table, dict):
            raise ValueError(f"must be tables, and `{name}` is none; write [tool.stetho.checks.{name}] above its keys")
    return value


def folder_name(value: object) -> str:
    """A name that can be part of the name of a folder.

    >>> folder_name("first-try")
    'first-try'
    """
    if not isinstance(value, str) or not re.fullmatch(r"[\w][\w .=+-]{0,99}", value):
        raise ValueError("must begin with a letter or digit and hold only letters, digits, spaces and . _ - = +")
    return value


def _path(value: object, kind: str) -> str:
    text = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(text, str) or not text.strip() or "\0" in text:
        raise ValueError(f"must be the path of {kind}")
    return text


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        return value
    raise ValueError("must be a text or a list of texts")


def _whole(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?[0-9]{1,18}\s*", value):
        return int(value)
    return None


def _decimal(value: object) -> float:
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        try:
            return float(value)
        except (ValueError, OverflowError):
            pass
    return math.nan
