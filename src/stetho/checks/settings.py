"""Which checks run, and with which options."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from stetho.checks.declare import Check, CheckOption
from stetho.config import CHECKS_TABLE, Options, unknown_name
from stetho.errors import UsageError

Chosen = tuple[Check, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user wants of the checks. `select` and `ignore` name checks, families, or patterns of names.

    >>> Settings(select=("loss", "*-gradient")).preview
    False
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    preview: bool = False
    files: tuple[str, ...] = ()
    options: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    @classmethod
    def of(cls, options: Options) -> "Settings":
        """The part of a run's options that is about checks."""
        return cls(options.select, options.ignore, options.preview, options.check_files, options.checks or {})


def chosen_checks(checks: Sequence[Check], settings: Settings) -> list[Chosen]:
    """The checks that are to run, each with the options that the user has set; UsageError for what means nothing."""
    options = dict(_options(checks, settings.options))
    for pattern in (*settings.select, *settings.ignore):
        if not any(_matches(check, pattern) for check in checks):
            names = sorted({check.name for check in checks} | {check.family for check in checks})
            raise UsageError(unknown_name("check", pattern, names))
    return [(check, options.get(check.name, {})) for check in checks if _is_wanted(check, settings)]


def _is_wanted(check: Check, settings: Settings) -> bool:
    if any(_matches(check, pattern) for pattern in settings.ignore):
        return False
    if check.preview and not settings.preview:
        if check.name in settings.select:
            raise UsageError(f"`{check.name}` is a preview check, and preview checks are off; add --preview")
        return False
    return not settings.select or any(_matches(check, pattern) for pattern in settings.select)


def _matches(check: Check, pattern: str) -> bool:
    return pattern == check.family or fnmatchcase(check.name, pattern)


def _options(
    checks: Sequence[Check], given: Mapping[str, Mapping[str, object]]
) -> Iterator[tuple[str, dict[str, object]]]:
    by_name = {check.name: check for check in checks}
    for name, values in given.items():
        table = f"[tool.stetho.{CHECKS_TABLE}.{name}]"
        if name not in by_name:
            raise UsageError(f"{unknown_name('check', name, sorted(by_name))}; in the table {table}")
        known = by_name[name].options
        for key in values:
            if key not in known:
                raise UsageError(f"{_unknown_option(key, known)}; in the table {table}")
        yield name, {key: _value(known[key], value, table) for key, value in values.items()}


def _unknown_option(key: str, known: Mapping[str, CheckOption]) -> str:
    return unknown_name("option", key, known) if known else f"unknown option `{key}`; this check has none"


def _value(option: CheckOption, value: object, table: str) -> object:
    """The value in the type of the default; a whole number will do where any number does."""
    kind = type(option.default)
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        words = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
        raise UsageError(f"`{option.name}` (={value!r}) must be {words.get(kind, kind.__name__)}; in the table {table}")
    return value
