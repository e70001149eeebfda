"""`stetho graph`: the network as nested boxes, as a page or a picture."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from stetho.commands.model_arguments import MODELS, add_model_arguments, loaded
from stetho.errors import UsageError

if TYPE_CHECKING:
    from stetho.inspecting import ModelGraph

NAME = "graph"
HELP = "draw a model as nested boxes that open and close: HTML, SVG, DOT, JSON"


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the model, the file and what is shown at first."""
    add_model_arguments(parser)
    parser.epilog = MODELS + "The layout needs igraph: pip install 'stetho[graph]'.\n"
    parser.add_argument(
        "-o", "--output", default="graph.html", metavar="FILE", help="graph.html (default), .svg, .dot or .json"
    )
    parser.add_argument("--depth", type=int, metavar="N", help="open boxes down to this depth (default: as fits)")
    parser.add_argument("--detailed", action="store_true", help="open layers that are one operation too")
    parser.add_argument(
        "--colour", default="class", metavar="BY", help="class (default), parameters, FLOPs, seconds, or a stat"
    )
    parser.add_argument("--stats", metavar="RUN", help="colour layers by what this run recorded of them last")


def run(arguments: argparse.Namespace) -> int:
    """Draw the model; one that fails is drawn as far as it came."""
    from stetho.inspect.inputs import needed
    from stetho.inspecting import graph
    from stetho.views.graph_file import check_graph_file

    file = Path(arguments.output)
    check_graph_file(file)
    if arguments.depth is not None and arguments.depth < 1:
        raise UsageError(f"`--depth` (={arguments.depth}) is less than 1; 1 shows what lies directly in the model")
    models = loaded(arguments)
    for target, call in models:
        made = graph(target.model, needed(target.model, call), stats=arguments.stats)
        save(made, file.with_stem(f"{file.stem}-{target.variable}") if len(models) > 1 else file, arguments)
    return 0


def save(made: "ModelGraph", file: Path, arguments: argparse.Namespace) -> None:
    """Write one graph, and tell how large it is."""
    known = ["class", *made.measures]
    if arguments.colour not in known:
        from stetho.config import unknown_name

        raise UsageError(unknown_name("colour", arguments.colour, known))
    made.save(file, depth=arguments.depth, detailed=arguments.detailed, colour=arguments.colour)
    if made.data.failure is not None:
        raise UsageError(f"{file} shows the model as far as it came: {made.data.failure}")
    colours = "; colours are for .html and .svg" if arguments.colour != "class" and file.suffix == ".dot" else ""
    print(f"{file}: {len(made.data.nodes):,} nodes, {len(made.data.edges):,} edges{colours}")
