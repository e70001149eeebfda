"""`stetho doctor`: what is installed here, what works, and what cannot be watched."""

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from stetho.capture.installation import Finding

NAME = "doctor"
HELP = "say what is installed here, what works, and what cannot be watched"

SIGNS = {"ok": ("✓", "green"), "missing": ("–", "yellow"), "problem": ("✗", "red"), "limit": ("·", "dim")}


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the form of the answer."""
    parser.epilog = "Exit status: 0, or 1 when something is wrong."
    parser.add_argument("--json", action="store_true", help="print the same as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Look at the installation and print what was found."""
    import json
    from dataclasses import asdict
    from pathlib import Path

    from stetho.capture.installation import examine

    findings = examine(Path.cwd())
    if arguments.json:
        print(json.dumps([asdict(finding) for finding in findings], indent=1, ensure_ascii=False))
    else:
        print_findings(findings, sys.stdout)
    return int(any(finding.state == "problem" for finding in findings))


def print_findings(findings: Sequence["Finding"], file: TextIO) -> None:
    """One line for each finding, limits last and under their own title."""
    width = max((len(finding.subject) for finding in findings if finding.state != "limit"), default=0)
    limits = [finding for finding in findings if finding.state == "limit"]
    for finding in findings:
        if finding.state != "limit":
            print_finding(finding, f"{finding.subject:<{width}}  {finding.text}", width + 4, file)
    if limits:
        print("\nWhat cannot be seen:", file=file)
    for finding in limits:
        print_finding(finding, f"{finding.subject}: {finding.text}", 2, file)


def print_finding(finding: "Finding", line: str, indent: int, file: TextIO) -> None:
    """One finding with its sign and, below, what to do about it."""
    import textwrap

    from rich.text import Text

    from stetho.views.console import console_for

    console = console_for(file)
    sign, style = SIGNS[finding.state]
    lines = textwrap.wrap(
        f"  {line}", console.width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
    )
    console.print(Text.assemble((sign, style), "\n".join(lines)[1:]))
    if finding.advice:
        console.print(Text.assemble("  ", (f"→ {finding.advice}", "bold")))
