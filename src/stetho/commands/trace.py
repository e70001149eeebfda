"""`stetho trace`: every operation of a program's steps, until a value is no number."""

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

from stetho.capture.launch import Program
from stetho.commands.parser import add_options, given_options
from stetho.commands.run import settled, watch
from stetho.config import read_options
from stetho.errors import UsageError

NAME = "trace"
HELP = "find the operation that makes NaN or infinity: look at every operation from a step on"
TAKES_PROGRAM = True
OPTIONS_SHARED = ("out", "name", "deterministic", "eager", "startup", "dump", "variant")


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.usage = "stetho trace [options] program.py [arguments…]\n       stetho trace [options] -m package.module …"
    parser.epilog = (
        "The program ends after the step in which a value is not finite, or after --steps. Every operation is looked\n"
        "at, which slows short steps down: begin near the step that you are after. `stetho run` needs none of this to\n"
        "find the first NaN of a training; this shows all operations around it, and those of steps where nothing is\n"
        "wrong."
    )
    parser.add_argument("--from-step", type=int, default=1, metavar="N", help="begin with this step (default: 1)")
    parser.add_argument("--steps", type=int, metavar="K", help="trace at most so many steps")
    parser.add_argument("--all", action="store_true", help="print every operation, and not only those that matter")
    parser.add_argument(
        "--values", action="store_true", help="write the results of all operations of the last step into the run"
    )
    add_options(parser, *OPTIONS_SHARED)


def run(arguments: argparse.Namespace) -> int:
    """Run the program with tracing on, then print what was traced."""
    for name, value in (("--from-step", arguments.from_step), ("--steps", arguments.steps)):
        if value is not None and value < 1:
            raise UsageError(f"`{name}` (={value}) is less than 1; steps are counted from 1")
    program = Program.from_words(arguments.program)
    program.check()
    given = {name: value for name, value in given_options(arguments).items() if name in OPTIONS_SHARED}
    options = settled(read_options(given, start=Path.cwd()), program)
    last = None if arguments.steps is None else arguments.from_step + arguments.steps - 1
    chosen = replace(options, trace_from=arguments.from_step, trace_values=arguments.values, steps=last, quiet=True)
    try:
        return watch(program, chosen)
    finally:
        tell(Path(chosen.out), whole=arguments.all)


def tell(out: Path, *, whole: bool) -> None:
    """Print the trace of the latest run, whatever became of the program."""
    from stetho.errors import StethoError
    from stetho.store.documents import read_object
    from stetho.store.format import TRACE_FILE
    from stetho.store.reader import open_run
    from stetho.views.console import console_for, is_unbounded, speak
    from stetho.views.trace import NO_LIMIT, trace_lines

    if os.environ.get("RANK", "0") != "0":
        return
    try:
        run = open_run(out)
        document = read_object(run.path / TRACE_FILE)
    except (StethoError, FileNotFoundError):
        speak("nothing was traced: no step came to its end")
        return
    print(f"step {document.get('step', '?')}", file=sys.stderr)
    width = NO_LIMIT if is_unbounded(sys.stderr) else console_for(sys.stderr).width
    for line in trace_lines(document, whole=whole, width=width):
        print(line, file=sys.stderr)
    print(f"run: {run.path}", file=sys.stderr)
