"""`stetho port`: the weights of one model as a file for another implementation of it."""

import argparse
import sys
from pathlib import Path

from stetho.commands.model_arguments import MODELS
from stetho.errors import UsageError

NAME = "port"
HELP = "carry the weights of a model over to another implementation of it"
STATUS_OF_AN_UNCONFIRMED_PORT = 1


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare both models, their input, and the file."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = MODELS + "Exit status: 0 if both models then give the same output; 1 if not."
    parser.add_argument("first", metavar="FROM", help="the model with the weights; see below")
    parser.add_argument("second", metavar="TO", help="the model that gets them")
    parser.add_argument(
        "--input", action="append", default=[], metavar="[NAME=]SHAPE[:DTYPE]", help="an input of both (repeatable)"
    )
    parser.add_argument("--loader", metavar="FILE:LOADER", help="take the first batch of this loader as input")
    parser.add_argument("--weights", metavar="FILE", help="a checkpoint, which FROM is filled with first")
    parser.add_argument(
        "--matches", metavar="FILE", help="which layer is which: written if the file is not there, read if it is"
    )
    parser.add_argument("--out", metavar="FILE", help="write the weights of TO into this file, as safetensors")
    parser.add_argument("--force", action="store_true", help="write them also if the outputs are not equal")
    parser.add_argument("--unsafe", action="store_true", help="open a pickled module, which may run any code")


def run(arguments: argparse.Namespace) -> int:
    """Find the port, show it, and write it."""
    from stetho.commands.model_arguments import two_models
    from stetho.comparing.porting.port import fill, port, write
    from stetho.views.model_comparison import print_port

    if arguments.out and not arguments.out.endswith(".safetensors"):
        raise UsageError(f"`--out` (={arguments.out}) does not end with .safetensors, which is what is written")
    targets, call = two_models(arguments, arguments.first, arguments.second)
    if arguments.weights:
        fill(targets[0].model, arguments.weights)
    found = port(targets[0].model, targets[1].model, call, matches=arguments.matches)
    print_port(found.plan, sys.stdout)
    if arguments.out and (found.plan.is_confirmed or arguments.force):
        write(found, Path(arguments.out))
        sys.stdout.write(f"written to {arguments.out}\n")
    elif arguments.out:
        sys.stdout.write("nothing is written; --force writes what was found\n")
    return 0 if found.plan.is_confirmed else STATUS_OF_AN_UNCONFIRMED_PORT
