"""`stetho checks`: all checks, with how well each was measured to do."""

import argparse
import sys
from pathlib import Path

from stetho.commands.parser import add_options, given_options
from stetho.config import read_options

NAME = "checks"
HELP = "list all checks"


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare what is listed and the form of the answer."""
    add_options(parser, "select", "ignore", "check_files")
    parser.add_argument("--json", action="store_true", help="print the same as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the table."""
    from stetho.checks.figures import read_figures
    from stetho.checks.loading import load_checks
    from stetho.checks.settings import Settings, chosen_checks
    from stetho.store.documents import encode
    from stetho.views.check_list import COLUMNS, entries, rows
    from stetho.views.table import print_table

    options = read_options({**given_options(arguments), "preview": True}, start=Path.cwd())
    settings = Settings.of(options)
    listed = entries([check for check, _ in chosen_checks(load_checks(settings.files), settings)], read_figures())
    if arguments.json:
        sys.stdout.write(encode(listed, indent=1).decode())
    else:
        print_table(COLUMNS, rows(listed), sys.stdout)
    return 0
