"""`stetho run`: watch an unmodified program, leave a recorded run, and say what is wrong with its training."""

import argparse
import os
import random
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import time
from typing import TYPE_CHECKING

from stetho.capture.launch import Program, ending_of, run_program
from stetho.commands.parser import add_options, given_options
from stetho.conditions import Condition
from stetho.config import Options, read_options, unknown_name
from stetho.errors import StethoError, UsageError
from stetho.records import Ending, Voice

if TYPE_CHECKING:
    from stetho.explaining.report import ErrorReport

NAME = "run"
HELP = "watch an unmodified program, record it, and name what is wrong with its training"
TAKES_PROGRAM = True
STATUS_OF_FINDINGS = 3
NO_TRAINING = "no training was seen"
NO_FRAMEWORK = "the program did not import torch"


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the options of a watched run."""
    parser.usage = (
        "stetho run [options] program.py [arguments…]\n       stetho run [options] -m package.module [arguments…]"
    )
    parser.epilog = "The same options can be set in [tool.stetho] of pyproject.toml. STETHO=0 turns stetho off."
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the program under watch; its exit and its errors are its own, unless `--fail-on` says otherwise."""
    program = Program.from_words(arguments.program)
    program.check()
    if os.environ.get("STETHO") == "0":
        run_program(program)
        return 0
    return watch(program, settled(read_options(given_options(arguments), start=Path.cwd()), program))


def settled(options: Options, program: Program) -> Options:
    """The options with what the beginning decides: the name of the run, and paths that `chdir` cannot move."""
    return replace(
        options,
        name=options.name or re.sub(r"\W+", "-", program.name).strip("-") or "run",
        out=os.path.abspath(options.out),
        json_file=os.path.abspath(options.json_file) if options.json_file not in (None, "-") else options.json_file,
        check_files=tuple(map(os.path.abspath, options.check_files)),
    )


def watch(program: Program, options: Options) -> int:
    """Run the program from beginning to end with a session around it; gives the exit status that findings ask for."""
    from stetho.capture.witness import Witness
    from stetho.judging import LiveJudge
    from stetho.session import Session
    from stetho.views.status import StatusLine

    witness = Witness(options.hang, begun_run(options, program))
    witness.start()
    line = StatusLine(quiet=options.quiet)
    # Of a distributed job, one rank speaks for all.
    judge = None if line.is_silent else LiveJudge(options, line)
    session = Session(options, command=program.words, voice=line, judge=judge, witness=witness)
    status = 0

    def end(ending: Ending) -> None:
        nonlocal status
        before = random.getstate()
        line.stop()
        saw_framework = session.saw_framework
        session.stop(ending)
        witness.stop()
        if not line.is_silent:
            reason = NO_TRAINING if saw_framework else NO_FRAMEWORK
            status = tell_end(session.path, "" if session.has_failed else reason, options, line)
        # rich draws random numbers, and functions that the program left for its exit may still draw some.
        random.setstate(before)

    def explain(error: BaseException, is_plain: bool) -> None:
        before = random.getstate()
        line.stop()
        session.error = tell_error(error, line, is_shown=is_plain and not options.quiet and not line.is_silent)
        random.setstate(before)
        if options.pdb:
            debug(error, line)

    check_breaks(options)
    session.start()
    line.start(session.status)
    try:
        run_program(program, end, explain)
    except SystemExit as leaving:
        if status and ending_of(leaving).code == 0:
            sys.exit(status)
        raise
    return status


def begun_run(options: Options, program: Program) -> Callable[[], Path]:
    """Makes the run of a program that died before it had one; called in another process."""
    from stetho.capture import environment

    process, began = os.getpid(), environment.shared_start() or time()

    def make() -> Path:
        from stetho.capture.recorder import new_run

        info = environment.run_info(program.words, options) | {"pid": process}
        return new_run(options, info, began).path

    return make


def check_breaks(options: Options) -> None:
    """A name that no check has would never stop the program."""
    wanted = [text for text in options.break_at if Condition.parse(text).kind == "check"]
    if wanted:
        from stetho.checks.loading import load_checks

        known = [check.name for check in load_checks(options.check_files)]
        for name in wanted:
            if name not in known:
                raise UsageError(unknown_name("check", name, known))


def debug(error: BaseException, voice: Voice) -> None:
    """The debugger at the place of an error, if somebody is there to use it."""
    from stetho.capture.console import has_terminal

    if not has_terminal():
        voice.say("no debugger: there is no terminal to type in")
        return
    from stetho.capture.debugger import open_debugger

    open_debugger(error)


def tell_error(error: BaseException, voice: Voice, *, is_shown: bool) -> "ErrorReport | None":
    """What an unhandled error means, printed below python's own words for it. Nothing here may spoil these."""
    try:
        from stetho.postmortem import report_of
        from stetho.views.error import print_error

        report = report_of(error)
        if is_shown:
            sys.stderr.write("\n")
            print_error(report, sys.stderr)
            sys.stderr.write("\n")
        return report
    except Exception as problem:
        voice.say(f"no more can be said about this error ({type(problem).__name__}: {problem})")
        return None


def tell_end(path: Path | None, reason: str, options: Options, voice: Voice) -> int:
    """Print summary and diagnosis of the recorded run, or why there is none; the exit status that findings ask for.

    Nothing here may spoil the program's own end.
    """
    if path is None:
        if reason and not options.quiet:
            voice.say(f"nothing was recorded: {reason}")
        return 0
    if not options.quiet:
        _attempt(lambda: _summary(path), "the summary cannot be drawn", path, voice)
    return _attempt(lambda: _diagnosis(path, options), "no diagnosis", path, voice)


def _summary(path: Path) -> int:
    from stetho.store.reader import Run
    from stetho.views.summary import summarize
    from stetho.views.summary_lines import print_summary

    print_summary(summarize(Run(path)), sys.stderr)
    return 0


def _diagnosis(path: Path, options: Options) -> int:
    from stetho.judging import judge_finished
    from stetho.views.diagnosis import print_diagnosis

    verdict = judge_finished(path, options)
    if not options.quiet:
        sys.stderr.write("\n")
        print_diagnosis(verdict, sys.stderr)
    return STATUS_OF_FINDINGS if verdict.fails(options.fail_on) else 0


def _attempt(tell: Callable[[], int], problem: str, path: Path, voice: Voice) -> int:
    """Do it, or say in one line why not; a mistake of the user's in the settings asks for an exit status of its own."""
    try:
        return tell()
    except StethoError as error:
        voice.say(f"{problem}: {error}")
        return error.exit_status
    except Exception as error:
        voice.say(f"{problem} ({type(error).__name__}: {error}); the run: {path}")
        return 0
