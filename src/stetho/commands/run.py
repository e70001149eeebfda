"""`stetho run`: watch an unmodified program, and leave a recorded run."""

import argparse
import os
import random
import re
import sys
from dataclasses import replace
from pathlib import Path

from stetho.capture.launch import Program, run_program
from stetho.commands.parser import add_options, given_options
from stetho.config import Options, read_options
from stetho.records import Ending, Voice

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
        watch(program, settled(read_options(given_options(arguments), start=Path.cwd()), program))
    return 0


def settled(options: Options, program: Program) -> Options:
    """The options with what the beginning decides: the name of the run, and a folder that `chdir` cannot move."""
    name = options.name or re.sub(r"\W+", "-", program.name).strip("-") or "run"
    return replace(options, name=name, out=os.path.abspath(options.out))


def watch(program: Program, options: Options) -> None:
    """Run the program from beginning to end with a session around it."""
    from stetho.session import Session
    from stetho.views.status import StatusLine

    line = StatusLine(quiet=options.quiet)
    session = Session(options, command=program.words, voice=line)

    def end(ending: Ending) -> None:
        before = random.getstate()
        line.stop()
        path, saw_framework = session.path, session.saw_framework
        session.stop(ending)
        if not options.quiet and not line.is_silent:
            tell_end(path, saw_framework, line)
        # rich draws random numbers, and functions that the program left for its exit may still draw some.
        random.setstate(before)

    session.start()
    line.start(session.status)
    run_program(program, end)


def tell_end(path: Path | None, saw_framework: bool, voice: Voice) -> None:
    """Print the summary of the recorded run, or why there is none; nothing here may spoil the program's own end."""
    if path is None:
        reason = "no training was seen" if saw_framework else "the program did not import torch"
        voice.say(f"nothing was recorded: {reason}")
        return
    try:
        from stetho.store.reader import Run
        from stetho.views.summary import summarize
        from stetho.views.summary_lines import print_summary

        print_summary(summarize(Run(path)), sys.stderr)
    except Exception as error:
        voice.say(f"the summary cannot be drawn ({type(error).__name__}: {error}); the run: {path}")
