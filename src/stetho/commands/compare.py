"""`stetho compare`: two recorded runs, or one program run in two ways: the first place where they differ, and why."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from stetho.errors import UsageError

if TYPE_CHECKING:
    from stetho.comparing.runs.result import RunComparison

NAME = "compare"
HELP = "two runs, or one program in two ways: the first place where they differ, and why"
TAKES_PROGRAM = True
STATUS_OF_A_DIFFERENCE = 1


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare what is compared and how."""
    parser.usage = "stetho compare [options] RUN_A RUN_B"
    parser.epilog = "Exit status: 0 equal, as far as rounding goes; 1 different."
    parser.add_argument(
        "--tolerance", type=float, default=1e-3, metavar="SHARE", help="how far losses may be apart (default: 0.001)"
    )
    parser.add_argument(
        "--rerun",
        action="store_true",
        help="run both programs again up to the first step that differs, to compare tensors and operations",
    )
    parser.add_argument(
        "--json", metavar="FILE", help="write the result into this file, as JSON; - for standard output"
    )


def run(arguments: argparse.Namespace) -> int:
    """Compare and print."""
    from stetho.comparing.kinds import compare

    arguments, sides = with_later_options(arguments)
    if len(sides) != 2:
        raise UsageError(f"{len(sides)} things to compare; give two recorded runs: stetho compare RUN_A RUN_B")
    return tell(compare(*sides, tolerance=arguments.tolerance, rerun=arguments.rerun), arguments.json)


def with_later_options(arguments: argparse.Namespace) -> tuple[argparse.Namespace, list[str]]:
    """Options may stand behind the runs too; what is left are the names of these."""
    from stetho.commands import load
    from stetho.commands.parser import flags_of, parser_of
    from stetho.config import unknown_name

    parser = parser_of(load(NAME))
    read, words = parser.parse_known_args(arguments.program, arguments)
    for word in words:
        if word.startswith("-") and word != "-":
            raise UsageError(unknown_name("option", word.partition("=")[0], flags_of(parser)))
    return read, words


def tell(found: "RunComparison", json_file: str | None) -> int:
    """Print a comparison, write it where it is wanted, and give the exit status."""
    from stetho.store.documents import encode
    from stetho.views.comparison import print_comparison

    if json_file is not None:
        document = encode(found.to_json(), indent=1)
        if json_file == "-":
            sys.stdout.write(document.decode())
        else:
            write_file(Path(json_file), document)
    if json_file != "-":
        print_comparison(found, sys.stdout)
    return 0 if found.is_equal else STATUS_OF_A_DIFFERENCE


def write_file(file: Path, content: bytes) -> None:
    """Write a file, or say why it cannot be written."""
    try:
        file.write_bytes(content)
    except OSError as error:
        raise UsageError(f"cannot be written ({error.strerror}); choose another place: {file}") from None
