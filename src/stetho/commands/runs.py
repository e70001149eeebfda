"""`stetho runs`: the recorded runs of a folder."""

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

from stetho.commands.parser import add_options, given_options
from stetho.config import read_options

NAME = "runs"
HELP = "list recorded runs"


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the folder and the form of the answer."""
    add_options(parser, "out")
    parser.add_argument("--json", action="store_true", help="print the same as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the table."""
    from stetho.store.documents import encode
    from stetho.views.listing import COLUMNS, entries, rows
    from stetho.views.table import print_table

    out = Path(read_options(given_options(arguments), start=Path.cwd()).out)
    listed = entries(out)
    if arguments.json:
        sys.stdout.write(encode([asdict(each) for each in listed], indent=1).decode())
        return 0
    if not listed:
        print(f"no runs in {out}; record one with: stetho run train.py", file=sys.stderr)
        return 0
    print_table(COLUMNS, rows(listed), sys.stdout)
    for each in listed:
        if each.problem:
            print(f"{each.name}: {each.problem}", file=sys.stderr)
    return 0
