"""What a check must be like: its name, its page, its options. Own checks and ours are held to the same."""

import re
from collections.abc import Iterator
from inspect import Parameter as Argument
from inspect import signature

from stetho.checks.declare import HEADINGS, Check
from stetho.findings.finding import SEVERITIES

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
WRONG_STARTS = ("check-", "detect-", "no-", "bad-")
LETTERS_OF_A_SUMMARY = 80
KINDS = (bool, int, float, str)


def problems_of(check: Check) -> list[str]:
    """What is wrong with a check, each a sentence with the rule; empty when nothing is.

    >>> from stetho.checks.declare import check
    >>> @check(severity="error")
    ... def bad_luck(window): "Luck that is bad."
    >>> problems_of(bad_luck)[0]
    'name `bad-luck` begins with `bad-`; a name is a noun phrase that reads well after "found"'
    """
    return [*_name(check), *_declaration(check), *_page(check), *_options(check)]


def _name(check: Check) -> Iterator[str]:
    if not NAME.fullmatch(check.name):
        yield f"name `{check.name}` is not lowercase words with dashes"
    for start in WRONG_STARTS:
        if check.name.startswith(start):
            yield f'name `{check.name}` begins with `{start}`; a name is a noun phrase that reads well after "found"'


def _declaration(check: Check) -> Iterator[str]:
    if check.severity not in SEVERITIES:
        yield f"severity (={check.severity!r}) is not one of {', '.join(SEVERITIES)}"
    for name in check.explains:
        if not NAME.fullmatch(name):
            yield f"`explains` holds {name!r}, which is not the name of a check"
    if check.name in check.explains:
        yield "it explains itself"


def _page(check: Check) -> Iterator[str]:
    if not check.summary:
        yield "it has no docstring; the first line says what it finds"
    elif len(check.summary) > LETTERS_OF_A_SUMMARY:
        yield f"the first line has {len(check.summary)} letters; at most {LETTERS_OF_A_SUMMARY} fit"
    elif not check.summary.endswith("."):
        yield "the first line does not end with a full stop"
    for heading in HEADINGS:
        if not check.sections.get(heading):
            yield f"there is nothing under the heading `## {heading}`"


def _options(check: Check) -> Iterator[str]:
    arguments = list(signature(check.function).parameters.values())
    if not arguments or arguments[0].kind not in (Argument.POSITIONAL_ONLY, Argument.POSITIONAL_OR_KEYWORD):
        yield "its first argument is not the window"
    for argument in arguments[1:]:
        if argument.kind is not Argument.KEYWORD_ONLY:
            yield f"argument `{argument.name}` is not keyword-only; options stand after a `*`"
        elif argument.default is Argument.empty:
            yield f"option `{argument.name}` has no default"
        elif not isinstance(argument.default, KINDS):
            yield f"option `{argument.name}` (={argument.default!r}) is not a number, a text, true or false"
        elif f"`{argument.name}`" not in "\n".join(check.sections.values()):
            yield f"option `{argument.name}` is not explained; name it in backticks in the page"
