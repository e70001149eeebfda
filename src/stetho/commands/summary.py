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
    columns = [name.strip() for name in arguments.columns.split(",") if name.strip()]
    made = {
        target.variable: summary(target.model, call, depth=arguments.depth, columns=columns, whole=arguments.all)
        for target, call in loaded(arguments)
    }
    show(made, arguments)
    return STATUS_OF_A_FAILURE if any(each.data.failure is not None for each in made.values()) else 0


def show(made: "dict[str, ModelSummary]", arguments: argparse.Namespace) -> None:
    """Print summaries in the form that is wanted; several by the names of their models."""
    from stetho.store.documents import encode

    if arguments.json:
        documents = {name: each.document() for name, each in made.items()}
        whole = documents if len(documents) > 1 else next(iter(documents.values()))
        sys.stdout.write(encode(whole, indent=1).decode())
        return
    for place, (name, each) in enumerate(made.items()):
        if len(made) > 1:
            mark = "## " if arguments.markdown else ""
            sys.stdout.write(f"{chr(10) if place else ''}{mark}{name}\n\n")
        if arguments.markdown:
            sys.stdout.write(each.markdown())
        else:
            each.print(sys.stdout)
