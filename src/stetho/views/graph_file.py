"""The graph of a model as a file, in the form that its name asks for."""

from pathlib import Path

from stetho.errors import UsageError
from stetho.inspect.layout import layout
from stetho.inspect.network import Network
from stetho.store.documents import encode
from stetho.store.files import put_in_place
from stetho.views.graph_dot import graph_dot
from stetho.views.graph_html import first_depth, graph_document, graph_html
from stetho.views.graph_svg import graph_svg

FORMS = (".html", ".svg", ".dot", ".json")


def check_graph_file(file: Path) -> None:
    """Complain about a name that asks for no known form, or a folder that is not there."""
    if file.suffix not in FORMS:
        raise UsageError(f"`{file}` has the ending `{file.suffix}`; a graph is written as {', '.join(FORMS)}")
    if not file.absolute().parent.is_dir():
        raise UsageError(f"no such folder: {file.parent}; make it, or give another name")


def write_graph(
    network: Network, file: Path, *, depth: int | None = None, detailed: bool = False, colour: str = "class"
) -> None:
    """Write the graph; the file is there whole or not at all."""
    check_graph_file(file)
    if len(network.nodes) <= 1:
        why = f"it failed before its first operation: {network.failure}" if network.failure else "it does no operation"
        raise UsageError(f"nothing to draw of {network.name}: {why}")
    put_in_place(file, graph_bytes(network, file.suffix, depth=depth, detailed=detailed, colour=colour))


def graph_bytes(network: Network, form: str, *, depth: int | None, detailed: bool, colour: str) -> bytes:
    """The content of a graph file of a form."""
    if form == ".dot":
        return graph_dot(network).encode() + b"\n"
    levels = layout(network)
    if form == ".json":
        return encode(graph_document(network, levels))
    if form == ".svg":
        depth = depth or first_depth(network)
        return graph_svg(network, levels, depth=depth, detailed=detailed, colour=colour).encode()
    return graph_html(network, levels, depth=depth, detailed=detailed, colour=colour).encode()
