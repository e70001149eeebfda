"""`stetho check`: judge a recorded run again, also without the framework that made it."""

import argparse
import sys
from pathlib import Path

from stetho.commands.parser import add_options, given_options
from stetho.config import read_options

NAME = "check"
HELP = "judge a recorded run again"
STATUS_OF_FINDINGS = 3


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the run and the options of the checks."""
    parser.add_argument("run", nargs="?", metavar="RUN", help="folder or name of a run; the latest when left out")
    add_options(parser, "select", "ignore", "preview", "check_files", "json_file", "fail_on")
    parser.add_argument("--rank", type=int, metavar="N", help="rank of a distributed job (default: the lowest)")
    parser.epilog = "With --json - the findings go to the standard output, and nothing else does."


def run(arguments: argparse.Namespace) -> int:
    """Judge, print, and give the exit status that `--fail-on` asks for."""
    from stetho.checks.settings import Settings
    from stetho.engine import judge
    from stetho.store.reader import open_run
    from stetho.views.diagnosis import print_diagnosis
    from stetho.views.diagnosis_json import STANDARD_OUTPUT, write_diagnosis

    options = read_options(given_options(arguments), start=Path.cwd())
    opened = open_run(arguments.run, rank=arguments.rank)
    opened.insist_on_names()
    verdict = judge(opened, Settings.of(options))
    if options.json_file != STANDARD_OUTPUT:
        print_diagnosis(verdict, sys.stdout)
    if options.json_file is not None:
        write_diagnosis(verdict, opened.path, options.json_file)
    return STATUS_OF_FINDINGS if verdict.fails(options.fail_on) else 0
