"""How a check is declared: `@check` makes a `Check` of a function. It registers nothing.

    @check(severity="error", explains=("loss-plateau",))
    def double_softmax(window: Window, *, share: float = 0.9) -> Finding | None:
        \"\"\"Softmax applied twice.

        ## What it finds
        …
        ## Why it matters
        …
        ## What to try
        …
        ## When it is wrong
        …
        \"\"\"

The name comes from the function (`double-softmax`), the options from its keyword-only arguments, the page from its
docstring. A check returns a finding, a list of them, or None when the run is clear; it raises `Skip` when it cannot
judge. A name of an option stands in backticks somewhere in the page.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from stetho.checks.window import Author, Window
from stetho.findings.finding import Finding, Severity

HEADINGS = ("What it finds", "Why it matters", "What to try", "When it is wrong")

Result = Finding | list[Finding] | None


class Skip(Exception):
    """Raised by a check that cannot judge this run; its text is the reason, as in "no eval pass was recorded"."""


@dataclass(frozen=True, slots=True)
class CheckOption:
    """A setting of a check, from a keyword-only argument.

    >>> CheckOption("share", 0.9, "float").default
    0.9
    """

    name: str
    default: Any
    kind: str


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """A check with all that is known about it. Called with a window, it gives what its function gives."""

    name: str
    family: str
    severity: Severity
    explains: tuple[str, ...]
    preview: bool
    needs_end: bool
    summary: str
    sections: Mapping[str, str]
    options: Mapping[str, CheckOption]
    function: Callable[..., Result]

    def __call__(self, window: Window, **options: Any) -> Result:
        return self.function(window.written_by(self.author), **options)

    def judge(self, window: Window, options: Mapping[str, Any]) -> list[Finding]:
        """The findings; none when the run is clear. `Skip` when it cannot judge."""
        result = self(window, **options)
        return [] if result is None else [result] if isinstance(result, Finding) else list(result)

    @property
    def author(self) -> Author:
        """The name under which its findings are written."""
        return Author(self.name, self.severity, self.explains, first_sentence(self.sections.get("What to try", "")))

    @property
    def owner(self) -> str:
        """Where it is defined, as module:function."""
        return f"{self.function.__module__}:{self.function.__qualname__}"


def check(
    *,
    severity: Severity,
    explains: tuple[str, ...] = (),
    preview: bool = False,
    needs_end: bool = False,
    family: str | None = None,
) -> Callable[[Callable[..., Result]], Check]:
    """Make a check of a function.

    `explains` names the checks whose findings are symptoms of this one. A `preview` check runs only when asked for. A
    check that `needs_end` is skipped while the program is still running: what is missing now may yet come.

    >>> @check(severity="warning", explains=("loss-plateau",))
    ... def cold_start(window: Window, *, steps: int = 10) -> Finding | None:
    ...     '''A start that is cold.'''
    >>> cold_start.name, cold_start.summary, cold_start.options["steps"].default
    ('cold-start', 'A start that is cold.', 10)
    """

    def declare(function: Callable[..., Result]) -> Check:
        page = inspect.getdoc(function) or ""
        return Check(
            name=function.__name__.replace("_", "-"),
            family=family or family_of(function.__module__),
            severity=severity,
            explains=tuple(explains),
            preview=preview,
            needs_end=needs_end,
            summary=page.partition("\n")[0].strip(),
            sections=sections_of(page),
            options={name: CheckOption(name, *rest) for name, *rest in _options_of(function)},
            function=function,
        )

    return declare


def family_of(module: str) -> str:
    """The folder of a check of ours; `own` for all others.

    >>> family_of("stetho.checks.loss.double_softmax"), family_of("my_checks")
    ('loss', 'own')
    """
    parts = module.split(".")
    return parts[2] if parts[:2] == ["stetho", "checks"] and len(parts) == 4 else "own"


def sections_of(page: str) -> dict[str, str]:
    """The text under each heading of a page.

    >>> sections_of("Title.\\n\\n## What to try\\nMore data.\\n\\n## When it is wrong\\nNever.")
    {'What to try': 'More data.', 'When it is wrong': 'Never.'}
    """
    _, *parts = re.split(r"^##[ \t]+(.+?)[ \t]*$", page, flags=re.MULTILINE)
    return {heading: text.strip() for heading, text in zip(parts[::2], parts[1::2], strict=True)}


def first_sentence(text: str) -> str:
    """The beginning of a text up to its first full stop, on one line.

    >>> first_sentence("Lower the rate by\\na factor of 10. Or wait.")
    'Lower the rate by a factor of 10.'
    """
    paragraph = " ".join(text.split("\n\n")[0].split())
    match = re.match(r".*?[.!?](?=\s+[A-Z`]|$)", paragraph)
    return match[0] if match else paragraph


def _options_of(function: Callable[..., Result]) -> list[tuple[str, Any, str]]:
    found = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY:
            kind = parameter.annotation if isinstance(parameter.annotation, str) else _type_name(parameter.annotation)
            found.append((parameter.name, parameter.default, kind))
    return found


def _type_name(annotation: Any) -> str:
    return getattr(annotation, "__name__", None) or str(annotation)
