"""`stetho equivalent`: whether a training gives the same when it is accumulated, resumed, distributed, compiled, …"""

import argparse
import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from stetho.commands.compare import STATUS_OF_A_DIFFERENCE, write_json
from stetho.errors import UsageError

if TYPE_CHECKING:
    from stetho.comparing.runs.result import RunComparison
    from stetho.equivalence.result import Equivalence

NAME = "equivalent"
HELP = "the same result or not: accumulate, resume, ddp, compiled, checkpointing, dtype"
TAKES_PROGRAM = True


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the options; which test, and on what, comes last."""
    parser.usage = (
        "stetho equivalent TEST [options] file.py:setup\n"
        "       stetho equivalent TEST [options] program.py [arguments…]"
    )
    parser.epilog = (
        "A set-up function gives an object or dict with `model`, `optimizer`, `batches` and `loss(model, batch)`;\n"
        "`resume` needs `save(file)` and `load(file)` too. Exit status: 0 equal, 1 different."
    )
    parser.add_argument("--steps", type=int, metavar="N", help="compare so many steps (default: 3)")
    parser.add_argument("--parts", type=int, metavar="N", help="accumulate: so many micro-batches (default: 3)")
    parser.add_argument("--dtype", choices=("bf16", "fp16", "float64"), help="dtype: in this type (default: bf16)")
    parser.add_argument("--backend", metavar="NAME", help="compiled: by this compiler (default: inductor)")
    parser.add_argument("--at", type=int, metavar="N", help="resume: stop the program after step N (default: 3)")
    parser.add_argument(
        "--with", dest="again", metavar="WORDS", help="resume: start it again with these arguments added"
    )
    parser.add_argument(
        "--json", metavar="FILE", help="write the result into this file, as JSON; - for standard output"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the test and print what it gave."""
    from stetho.commands.verify import tell as show
    from stetho.equivalence.battery import equivalent

    test, arguments, target = read_words(arguments)
    given = {name: getattr(arguments, name) for name in ("steps", "parts", "dtype", "backend", "at")}
    chosen = {name: value for name, value in given.items() if value is not None}
    again = shlex.split(arguments.again) if arguments.again else []
    try:
        found = equivalent(test, target_of(target), again=again, say=show, **chosen)
    finally:
        show("")
    return tell(found, arguments.json)


def read_words(arguments: argparse.Namespace) -> tuple[str, argparse.Namespace, list[str]]:
    """The test, the options that stand behind it, and what it is done on."""
    from stetho.commands import load
    from stetho.commands.parser import flags_of, parser_of, split_at_program
    from stetho.config import unknown_name
    from stetho.equivalence.battery import TESTS

    if not arguments.program:
        raise UsageError(f"no test given; choose one of: {', '.join(TESTS)}")
    test, *later = arguments.program
    if test not in TESTS:
        raise UsageError(unknown_name("test", test, TESTS))
    parser = parser_of(load(NAME))
    own, target = split_at_program(parser, later)
    read, unknown = parser.parse_known_args(with_joined(own), arguments)
    if unknown:
        raise UsageError(unknown_name("option", unknown[0].partition("=")[0], flags_of(parser)))
    if not target:
        raise UsageError(
            f"nothing to test; end the command with file.py:setup, as in: stetho equivalent {test} a.py:setup"
        )
    return test, read, target


def with_joined(words: Sequence[str]) -> list[str]:
    """`--with` and its value as one word: what it adds may begin with dashes itself.

    >>> with_joined(["--at", "5", "--with", "--resume"])
    ['--at', '5', '--with=--resume']
    """
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] == "--with":
            joined[-1] = f"--with={word}"
        else:
            joined.append(word)
    return joined


def target_of(words: Sequence[str]) -> Any:
    """The place of a set-up function, or a program with its arguments."""
    from stetho.capture.launch import Program

    place, colon, _ = words[0].rpartition(":")
    if colon and len(place) > 1 and words[0] != "-m":
        if len(words) > 1:
            raise UsageError(f"one word too many: `{words[1]}`; a set-up function takes no arguments")
        return words[0]
    program = Program.from_words(words)
    program.check()
    return program


def tell(found: "Equivalence | RunComparison", json_file: str | None) -> int:
    """Print a result, write it where it is wanted, and give the exit status."""
    from stetho.equivalence.result import Equivalence
    from stetho.views.comparison import print_comparison
    from stetho.views.equivalence import print_equivalence

    if json_file is not None:
        write_json(found.to_json(), json_file)
    if json_file != "-":
        if isinstance(found, Equivalence):
            print_equivalence(found, sys.stdout)
        else:
            print_comparison(found, sys.stdout)
    return 0 if found.is_equal else STATUS_OF_A_DIFFERENCE
