"""The page of a check: on the terminal for `stetho explain`, as Markdown for the documentation."""

import re
from collections.abc import Iterator
from typing import TextIO

from stetho.checks.declare import Check
from stetho.checks.figures import Figures
from stetho.views import text
from stetho.views.folding import Line, folded

WIDEST = 100


def print_page(check: Check, figures: Figures | None, file: TextIO) -> None:
    """Draw the page on a stream."""
    from rich.text import Text

    from stetho.views.console import WIDTH_OF_A_PIPE, console_for

    console = console_for(file)
    width = console.width if console.width >= WIDTH_OF_A_PIPE else min(console.width, WIDEST)
    for line in page_lines(check, figures, width):
        console.print(Text.assemble(*line))


def page_lines(check: Check, figures: Figures | None, width: int) -> Iterator[Line]:
    """The page in lines that fit."""
    yield [(check.name, "bold")]
    yield from folded(check.summary, 0, width, "")
    yield from folded(", ".join(_facts(check, figures)), 0, width, "dim")
    for heading, content in sections(check):
        yield []
        yield [(heading, "bold")]
        for block in _blocks(content):
            indent = 4 if block.startswith("- ") else 2
            yield from folded(block, indent, width, "", first_indent=2)


def page_markdown(check: Check, figures: Figures | None) -> str:
    """The page for the documentation.

    >>> from stetho.checks.declare import check
    >>> @check(severity="error")
    ... def cold_start(window): "A start that is cold."
    >>> print(page_markdown(cold_start, None))
    ### cold-start
    <BLANKLINE>
    A start that is cold.
    <BLANKLINE>
    *error, family own*
    """
    parts = [f"### {check.name}", check.summary, f"*{', '.join(_facts(check, figures))}*"]
    for heading, content in sections(check):
        # Markdown wants an empty line before a list.
        parts.append(f"**{heading}.**" + ("\n\n" if content.startswith("- ") else " ") + content)
    return "\n\n".join(parts)


def sections(check: Check) -> Iterator[tuple[str, str]]:
    """The headings with their text; the options come last, each with its default and its meaning."""
    for heading, content in check.sections.items():
        if heading != "Options":
            yield heading, content
    if check.options:
        meanings = _meanings(check.sections.get("Options", ""))
        yield (
            "Options",
            "\n".join(
                f"- `{option.name} = {_toml(option.default)}`" + (f": {meanings[name]}" if name in meanings else "")
                for name, option in check.options.items()
            ),
        )
    if check.explains:
        yield "Explains", ", ".join(f"`{name}`" for name in check.explains)


def _facts(check: Check, figures: Figures | None) -> Iterator[str]:
    yield check.severity
    yield f"family {check.family}"
    if check.preview:
        yield "preview"
    if figures is not None and figures.precision is not None:
        yield f"measured on {text.plural(figures.programs, 'program')}: precision {text.share(figures.precision)}"
    if figures is not None and figures.recall is not None:
        yield f"recall {text.share(figures.recall)}"


def _meanings(content: str) -> dict[str, str]:
    """What an `## Options` section says of each option, as in "- `share`: meaning"."""
    return {
        match[1]: " ".join(match[2].split())
        for match in re.finditer(r"^- `(\w+)`:?\s+(.*?)(?=^- |\Z)", content, re.MULTILINE | re.DOTALL)
    }


def _blocks(content: str) -> list[str]:
    """Paragraphs and points of a list, each on one line."""
    blocks = re.split(r"\n\s*\n|\n(?=\s*[-*] )", content)
    return [" ".join(block.split()) for block in blocks if block.strip()]


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)
