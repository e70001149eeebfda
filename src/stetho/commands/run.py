"""`stetho run`: watch an unmodified program, and leave a recorded run."""

import argparse
import os
import re
from dataclasses import replace
from pathlib import Path

from stetho.capture.launch import Program, run_program
from stetho.commands.parser import add_options, given_options
from stetho.config import Options, read_options
from stetho.records import Ending

NAME = "run"
HELP = "watch an unmodified program and record it"
TAKES_PROGRAM = True


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the options of a watched run."""
    parser.usage = (
        "stetho run [options] program.py [arguments…]\n       stetho run [options] -m package.module [arguments…]"
    )
    parser.epilog = "The same options can be set in [tool.stetho] of pyproject.toml. STETHO=0 turns stetho off."
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the program under watch; its exit and its errors are its own."""
    program = Program.from_words(arguments.program)
    program.check()
    if os.environ.get("STETHO") == "0":
        run_program(program)
    else:
        watch(program, named(read_options(given_options(arguments), start=Path.cwd()), program))
    return 0


def named(options: Options, program: Program) -> Options:
    """The options with a name for the run, taken from the program unless the user gave one."""
    return options if options.name else replace(options, name=re.sub(r"\W+", "-", program.name).strip("-") or "run")


def watch(program: Program, options: Options) -> None:
    """Run the program from beginning to end with a session around it."""
    from stetho.session import Session
    from stetho.views.status import StatusLine

    line = StatusLine(quiet=options.quiet)
    session = Session(options, command=program.words, voice=line)

    def end(ending: Ending) -> None:
        line.stop()
        session.stop(ending)

    session.start()
    line.start(session.status)
    run_program(program, end)
