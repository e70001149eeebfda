"""`stetho summary`: the layers of a model with their shapes and costs."""

import argparse
import sys
from typing import TYPE_CHECKING

from stetho.commands.model_arguments import add_model_arguments, loaded
from stetho.errors import UsageError

if TYPE_CHECKING:
    from stetho.inspecting import ModelSummary

NAME = "summary"
HELP = "show the layers of a model: shapes, parameters, FLOPs, memory"
STATUS_OF_A_FAILURE = 1


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the model and what is shown of it."""
    add_model_arguments(parser)
    parser.add_argument("--depth", type=int, metavar="N", help="show layers down to this depth (default: all)")
    parser.add_argument("--columns", default="", metavar="NAMES", help="choose columns, as class,output,flops,time")
    parser.add_argument("--all", action="store_true", help="show every layer, also equal ones in a row")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the same as JSON")
    form.add_argument("--markdown", action="store_true", help="print the same as Markdown")


def run(arguments: argparse.Namespace) -> int:
    """Print the summary; a model that fails is shown as far as it came."""
    from stetho.inspecting import summary

    if arguments.depth is not None and arguments.depth < 0:
        raise UsageError(f"`--depth` (={arguments.depth}) is less than 0; 0 shows the model alone")
    target, call = loaded(arguments)
    columns = [name.strip() for name in arguments.columns.split(",") if name.strip()]
    made = summary(target.model, call, depth=arguments.depth, columns=columns, whole=arguments.all)
    show(made, arguments)
    return STATUS_OF_A_FAILURE if made.data.failure is not None else 0


def show(made: "ModelSummary", arguments: argparse.Namespace) -> None:
    """Print a summary in the form that is wanted."""
    from stetho.store.documents import encode

    if arguments.json:
        sys.stdout.write(encode(made.document(), indent=1).decode())
    elif arguments.markdown:
        sys.stdout.write(made.markdown())
    else:
        made.print(sys.stdout)
