"""`stetho show`: what a recorded run was, in short, or layer by layer."""

import argparse
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stetho.store.reader import Run

NAME = "show"
HELP = "show what a recorded run was"


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the run and the views."""
    parser.add_argument("run", nargs="?", metavar="RUN", help="folder or name of a run; the latest when left out")
    view = parser.add_mutually_exclusive_group()
    view.add_argument("--layers", action="store_true", help="layers, with the last numbers of their outputs")
    view.add_argument("--parameters", action="store_true", help="parameters, with their last values and gradients")
    view.add_argument("--error", action="store_true", help="the error that ended the program, with the values there")
    parser.add_argument("--json", action="store_true", help="print the same as JSON")
    parser.add_argument("--rank", type=int, metavar="N", help="rank of a distributed job (default: the lowest)")


def run(arguments: argparse.Namespace) -> int:
    """Print the wanted view."""
    from stetho.store.reader import open_run

    opened = open_run(arguments.run, rank=arguments.rank)
    if arguments.layers or arguments.parameters:
        show_table(opened, parameters=arguments.parameters, as_json=arguments.json)
    elif arguments.error:
        show_error(opened, as_json=arguments.json)
    else:
        show_summary(opened, as_json=arguments.json)
    return 0


def show_summary(opened: "Run", *, as_json: bool) -> None:
    """Print the short view."""
    from stetho.store.documents import encode
    from stetho.views.last_words import print_last_words
    from stetho.views.summary import summarize
    from stetho.views.summary_lines import print_summary

    summary = summarize(opened)
    if as_json:
        sys.stdout.write(encode(asdict(summary), indent=1).decode())
    else:
        print_summary(summary, sys.stdout)
        print_last_words(opened, sys.stdout)


def show_error(opened: "Run", *, as_json: bool) -> None:
    """Print the error that ended the program."""
    from stetho.explaining.report import ErrorReport
    from stetho.store.documents import encode
    from stetho.views.error import print_error

    report = ErrorReport.read(opened.error)
    if as_json:
        sys.stdout.write(encode(opened.error, indent=1).decode())
    elif report is None:
        print("no error ended this run", file=sys.stderr)
    else:
        print_error(report, sys.stdout)


def show_table(opened: "Run", *, parameters: bool, as_json: bool) -> None:
    """Print all layers or all parameters."""
    from stetho.store.documents import encode
    from stetho.views.layers import layer_table, layers_of, parameter_table, parameters_of
    from stetho.views.table import print_table

    opened.insist_on_names()
    subjects = parameters_of(opened) if parameters else layers_of(opened)
    if as_json:
        sys.stdout.write(encode([asdict(subject) for subject in subjects], indent=1).decode())
    elif not subjects:
        print("nothing was measured in this run", file=sys.stderr)
    else:
        print_table(*(parameter_table if parameters else layer_table)(subjects), sys.stdout)
