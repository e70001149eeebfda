"""`stetho compare`: two runs, models, checkpoints, or one program in two ways: where they differ first, and why."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stetho.errors import UsageError

if TYPE_CHECKING:
    from stetho.checkpoints.contents import Checkpoint
    from stetho.checkpoints.diffing import CheckpointDiff
    from stetho.comparing.models.result import ModelComparison
    from stetho.comparing.runs.result import RunComparison

NAME = "compare"
HELP = "two runs, models, checkpoints, or one program in two ways: the first place where they differ, and why"
TAKES_PROGRAM = True
STATUS_OF_A_DIFFERENCE = 1


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare what is compared and how."""
    parser.usage = (
        "stetho compare [options] RUN_A RUN_B\n"
        "       stetho compare A.py:build B.py:build --input 1,3,32,32 [options]\n"
        "       stetho compare A.pt B.safetensors [options]\n"
        "       stetho compare --compiled | --dtype TYPE | --device NAME | --deterministic twice [options] program.py …"
    )
    parser.epilog = (
        "A program is run in processes of its own, as it is and in the other way, both from the same seeds.\n"
        "Exit status: 0 equal, as far as rounding goes; 1 different."
    )
    parser.add_argument("--compiled", action="store_true", help="run a program eagerly and with its models compiled")
    parser.add_argument("--backend", metavar="NAME", help="what compiles them (default: inductor)")
    parser.add_argument("--dtype", choices=("bf16", "fp16", "float64"), help="run it as it is and in this type")
    parser.add_argument("--device", metavar="NAME", help="run it as it is and with its models on this device")
    parser.add_argument(
        "--deterministic", choices=("twice",), help="run it twice: which operation gives another result"
    )
    parser.add_argument("--steps", type=int, metavar="N", help="so many steps of a program (default: 10)")
    parser.add_argument(
        "--tolerance",
        type=float,
        metavar="SHARE",
        help="how far losses may be apart (default: 0.001), or values of two models (default: what rounding explains)",
    )
    add_options_of_models(parser)
    parser.add_argument(
        "--rerun",
        action="store_true",
        help="run the programs of both runs again up to the first step that differs: compare tensors and operations",
    )
    parser.add_argument(
        "--json", metavar="FILE", help="write the result into this file, as JSON; - for standard output"
    )


def add_options_of_models(parser: argparse.ArgumentParser) -> None:
    """Declare what only the comparison of two models has."""
    group = parser.add_argument_group("two models, as module:callable or file.py:callable")
    group.add_argument(
        "--input", action="append", default=[], metavar="[NAME=]SHAPE[:DTYPE]", help="an input of both (repeatable)"
    )
    group.add_argument("--loader", metavar="FILE:LOADER", help="take the first batch of this loader as input")
    weights = group.add_mutually_exclusive_group()
    weights.add_argument("--port", action="store_true", help="carry the weights of the first over to the second")
    weights.add_argument(
        "--as-is",
        action="store_true",
        help="leave all weights as they are (default: carried over unless most are the same)",
    )
    group.add_argument("--unsafe", action="store_true", help="open a pickled module, which may run any code")
    group.add_argument("--train", action="store_true", help="compare in training mode, without dropout")
    group.add_argument(
        "--matches", metavar="FILE", help="which layer is which: written if the file is not there, read if it is"
    )


def run(arguments: argparse.Namespace) -> int:
    """Compare and print."""
    way = way_of(arguments)
    if way is not None:
        return tell(compared_ways(arguments, way), arguments.json)
    from stetho.comparing.kinds import CHECKPOINTS, compare, kind_of, names_model

    arguments, sides = with_later_options(arguments)
    if way_of(arguments) is not None:
        raise UsageError("an option that asks for a program stands behind it; put it before the program")
    if len(sides) != 2:
        raise UsageError(f"{len(sides)} things to compare; give two runs, checkpoints, or models as file.py:callable")
    if all(map(names_model, sides)) or arguments.input or arguments.loader:
        return tell(compared_models(arguments, *sides), arguments.json)
    kind, opened = kind_of(*sides)
    if kind is CHECKPOINTS and arguments.tolerance is None:
        return tell(compared_checkpoints(opened), arguments.json)
    return tell(compare(*sides, tolerance=arguments.tolerance, rerun=arguments.rerun), arguments.json)


def compared_checkpoints(opened: "list[Checkpoint]") -> "CheckpointDiff":
    """Compare two checkpoints, with a bar while they are read."""
    from stetho.checkpoints.diffing import diff_checkpoints
    from stetho.commands.ckpt import reading

    with reading(opened) as progress:
        return diff_checkpoints(opened[0], opened[1], progress)


def compared_models(arguments: argparse.Namespace, one: str, other: str) -> "ModelComparison":
    """Build both models and compare them on one input."""
    from stetho.commands.model_arguments import two_models
    from stetho.comparing.models.compare import compare_models

    targets, call = two_models(arguments, one, other)
    return compare_models(
        targets[0].model,
        targets[1].model,
        call,
        names=(one, other),
        port=True if arguments.port else False if arguments.as_is else None,
        tolerance=arguments.tolerance,
        training=arguments.train,
        matches=arguments.matches,
    )


def way_of(arguments: argparse.Namespace) -> str | None:
    """The other way in which a program is to be run; None if recorded runs are compared."""
    compiled = f"compiled:{arguments.backend}" if arguments.backend else "compiled"
    given = [compiled if arguments.compiled else None, arguments.dtype, arguments.device, arguments.deterministic]
    ways = [way for way in given if way is not None]
    if len(ways) > 1:
        raise UsageError(f"{len(ways)} ways to run a program ({', '.join(ways)}); compare one at a time")
    return ways[0] if ways else None


def compared_ways(arguments: argparse.Namespace, way: str) -> "RunComparison":
    """Run a program in two ways and compare."""
    from stetho.capture.launch import Program
    from stetho.commands.verify import tell as show
    from stetho.comparing.runs.curve import TOLERANCE
    from stetho.comparing.ways import STEPS, compare_ways

    program = Program.from_words(arguments.program)
    program.check()
    steps = STEPS if arguments.steps is None else arguments.steps
    if steps < 1:
        raise UsageError(f"`--steps` (={steps}) is less than 1; steps are counted from 1")
    if arguments.device is not None:
        from stetho.comparing.torch.devices import check_device

        check_device(arguments.device)
    try:
        return compare_ways(program, way, steps=steps, tolerance=arguments.tolerance or TOLERANCE, say=show)
    finally:
        show("")


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


def tell(found: "RunComparison | ModelComparison | CheckpointDiff", json_file: str | None) -> int:
    """Print a comparison, write it where it is wanted, and give the exit status."""
    from stetho.views.checkpoint_diff import print_diff
    from stetho.views.comparison import print_comparison
    from stetho.views.model_comparison import print_model_comparison

    document = found.to_json()
    if json_file is not None:
        write_json(document, json_file)
    if json_file != "-":
        views: dict[str, Any] = {"runs": print_comparison, "models": print_model_comparison, "checkpoints": print_diff}
        views[document["kind"]](found, sys.stdout)
    return 0 if found.is_equal else STATUS_OF_A_DIFFERENCE


def write_json(document: dict[str, Any], file: str) -> None:
    """Write a document to a file, or to the standard output for `-`."""
    from stetho.store.documents import encode

    content = encode(document, indent=1)
    if file == "-":
        sys.stdout.write(content.decode())
        return
    try:
        Path(file).write_bytes(content)
    except OSError as error:
        raise UsageError(f"cannot be written ({error.strerror}); choose another place: {file}") from None
