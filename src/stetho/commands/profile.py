"""`stetho profile`: where the time and memory of a program's steps go, what bounds it, and what changes gain."""

import argparse
import os
import sys
from pathlib import Path

from stetho.capture.launch import Program, run_program
from stetho.capture.startup import load_callback
from stetho.errors import StethoError
from stetho.option_values import function_name
from stetho.profiling.attachment import Attachment, Settings
from stetho.profiling.files import ENDINGS, check_file, write_profile
from stetho.records import Ending, StepsReached
from stetho.views.console import speak

NAME = "profile"
HELP = "where the time and memory of a program's steps go, what bounds it, and what changes would gain"
TAKES_PROGRAM = True


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.usage = (
        "stetho profile [options] program.py [arguments…]\n       stetho profile [options] -m package.module …"
    )
    width = max(map(len, ENDINGS))
    parser.epilog = (
        "The program runs until enough of its steps are measured, and ends then. Nothing of its training is worth\n"
        "keeping: the last steps are made with other settings, to measure what these would gain.\n\n"
        "What -o writes is told by how the name ends:\n"
        + "\n".join(f"  {ending:<{width}}  {meaning}" for ending, (meaning, _) in ENDINGS.items())
    )
    parser.add_argument("--steps", type=int, default=20, metavar="N", help="steps of each measurement (default: 20)")
    parser.add_argument("--warmup", type=int, default=5, metavar="N", help="steps before the first (default: 5)")
    parser.add_argument(
        "--try",
        dest="trial_seconds",
        type=float,
        default=20.0,
        metavar="SECONDS",
        help="how long to try other settings of loader and model; 0: not at all (default: 20)",
    )
    parser.add_argument("--all", action="store_true", help="print every layer and operation, not only the dearest")
    parser.add_argument("-o", "--output", action="append", type=Path, default=[], metavar="FILE", help="(repeatable)")
    parser.add_argument(
        "--callback", metavar="MODULE:FUNCTION", help="call this function with every span of the recorded steps"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the program with the profiler on, then print and write what was found."""
    program = Program.from_words(arguments.program)
    program.check()
    outputs = [Path(os.path.abspath(file)) for file in arguments.output]
    for file in outputs:
        check_file(file)
    attachment = Attachment(settings_of(arguments, program), ends_program=True, on_stage=say_stage)
    status = 0

    def end(_: Ending) -> None:
        nonlocal status
        status = tell(attachment, program, outputs, whole=arguments.all)

    attachment.start()
    try:
        run_program(program, end)
    except StepsReached:
        pass
    except Exception as error:
        if not attachment.failed(error):
            raise
        end(Ending("finished"))
    return status


def say_stage(stage: str) -> None:
    """Somebody who waits at a terminal is told what is measured."""
    if sys.stderr.isatty() and is_speaker():
        speak(f"measuring: {stage}")


def is_speaker() -> bool:
    """Of processes that train together, one speaks for all."""
    return os.environ.get("RANK", "0") == "0"


def settings_of(arguments: argparse.Namespace, program: Program) -> Settings:
    """The settings on the command line."""
    callback = arguments.callback
    if callback is not None:
        try:
            callback = load_callback(function_name(callback), program.words)
        except ValueError as error:
            raise StethoError(f"`--callback` (={callback!r}) {error}") from None
    return Settings(arguments.steps, arguments.warmup, arguments.trial_seconds, callback)


def tell(attachment: Attachment, program: Program, outputs: list[Path], *, whole: bool) -> int:
    """Print the report on stderr and write the files; the exit status."""
    from stetho.views.profile import print_profile

    profile = attachment.finish()
    if not is_speaker():
        return 0
    if profile is None:
        speak(f"nothing was profiled: {attachment.problem}")
        return 1
    status = 0
    # The files first: a reader of ours may close the pipe before the end of the report.
    for file in outputs:
        try:
            write_profile(profile, file)
        except StethoError as error:
            speak(str(error))
            status = error.exit_status
    print_profile(profile, sys.stderr, title=" ".join(program.words), whole=whole)
    for file in outputs if not status else ():
        print(f"written: {file}", file=sys.stderr)
    return status
