"""`stetho explain`: the page of one check."""

import argparse
import sys
from pathlib import Path

from stetho.commands.parser import add_options, given_options
from stetho.config import read_options, unknown_name
from stetho.errors import UsageError

NAME = "explain"
HELP = "tell what a check finds, why it matters and what to try"


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the check."""
    parser.add_argument("check", nargs="?", metavar="CHECK", help="name of a check; without it, all are listed")
    add_options(parser, "check_files")


def run(arguments: argparse.Namespace) -> int:
    """Print the page."""
    from stetho.checks.figures import read_figures
    from stetho.checks.loading import load_checks
    from stetho.views.check_list import COLUMNS, entries, rows
    from stetho.views.check_page import print_page
    from stetho.views.table import print_table

    options = read_options(given_options(arguments), start=Path.cwd())
    checks = load_checks(options.check_files)
    if arguments.check is None:
        print_table(COLUMNS, rows(entries(checks, read_figures())), sys.stdout)
        return 0
    by_name = {check.name: check for check in checks}
    if arguments.check not in by_name:
        raise UsageError(unknown_name("check", arguments.check, by_name))
    print_page(by_name[arguments.check], read_figures().get(arguments.check), sys.stdout)
    return 0
