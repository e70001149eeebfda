"""The graph of a model as an SVG picture, for documents and slides."""

from collections.abc import Iterator, Mapping
from html import escape
from itertools import pairwise

from stetho.inspect.layout import ENTRY, EXIT, Level
from stetho.inspect.network import ROOT, Network
from stetho.views.graph_colours import OPEN, Colours, is_dark
from stetho.views.graph_places import HIGH, Box, Places, Point

LINE, INK, SOFT, BAD, LIGHT = "#98a2b3", "#1d2430", "#667085", "#d92d20", "#ffffff"
LEGEND = 24


def graph_svg(
    network: Network, levels: Mapping[int, Level], *, depth: int, detailed: bool = False, colour: str = "class"
) -> str:
    """The picture with boxes open down to a depth, coloured by class or by a measure."""
    places = Places(network, levels, depth, detailed=detailed)
    colours = Colours(network, colour)
    whole = places.boxes[ROOT]
    height = whole.height + (LEGEND if colours.legend else 0)
    shown = [box for box in places.boxes.values() if box.node.id != ROOT]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole.width:.0f} {height:.0f}" '
        f'width="{whole.width:.0f}" height="{height:.0f}" font-family="system-ui, sans-serif">',
        f"<title>{escape(network.name)}</title>",
        f'<rect width="{whole.width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
        *(_rectangle(box, colours) for box in shown),
    ]
    for box in places.boxes.values():
        if box.is_open:
            lines += _edges(places, box, levels[box.node.id])
    lines += [text for box in shown for text in _texts(box, colours)]
    if colours.legend:
        lines.append(f'<text x="12" y="{height - 9:.0f}" font-size="11" fill="{SOFT}">{escape(colours.legend)}</text>')
    return "\n".join([*lines, "</svg>", ""])


def _rectangle(box: Box, colours: Colours) -> str:
    round_ = 8 if box.is_open else 3 if box.node.kind == "operation" else 7
    line = BAD if box.node.about.get("failed") else LINE
    pale = f' fill-opacity="{OPEN}"' if box.is_open and colours.legend else ""
    return (
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="{round_}" '
        f'fill="{colours.fill(box.node, is_open=box.is_open)}"{pale} stroke="{line}"/>'
    )


def _edges(places: Places, box: Box, level: Level) -> Iterator[str]:
    told: set[int] = set()
    for route in level.routes:
        points = places.route(box, route)
        yield f'<path d="{_path(points)}" fill="none" stroke="{LINE}"/>'
        if route.target == EXIT:
            continue
        x, y = points[-1]
        yield f'<path d="M{x:.1f} {y:.1f}l-3.5 -6h7z" fill="{LINE}"/>'
        if route.source != ENTRY and route.target not in told:
            told.add(route.target)
            x, y = points[-2]
            yield f'<text x="{x + 4:.1f}" y="{y - 10:.1f}" font-size="10" fill="{SOFT}">{escape(route.label)}</text>'


def _path(points: list[Point]) -> str:
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for (x, y), (to_x, to_y) in pairwise(points):
        half = (y + to_y) / 2
        is_straight = abs(x - to_x) < 0.5
        bend = "" if is_straight else f"C{x:.1f} {half:.1f} {to_x:.1f} {half:.1f} "
        parts.append(f"{bend or 'L'}{to_x:.1f} {to_y:.1f}")
    return "".join(parts)


def _texts(box: Box, colours: Colours) -> Iterator[str]:
    label, sub = escape(box.node.label), escape(box.node.sub)
    bold = "" if box.node.kind == "operation" else ' font-weight="600"'
    if box.is_open:
        extra = f'<tspan dx="6" font-size="11" font-weight="400" fill="{SOFT}">{sub}</tspan>'
        yield f'<text x="{box.x + 10:.1f}" y="{box.y + 16:.1f}" font-size="12" fill="{INK}"{bold}>{label}{extra}</text>'
        return
    middle = box.x + box.width / 2
    is_two = box.height > HIGH
    y = box.y + (15 if is_two else box.height / 2 + 4)
    is_light = not is_dark(colours.fill(box.node, is_open=False))
    ink, soft = (INK, INK if colours.legend else SOFT) if is_light else (LIGHT, LIGHT)
    centred = f'<text x="{middle:.1f}" text-anchor="middle"'
    yield f'{centred} y="{y:.1f}" font-size="12" fill="{ink}"{bold}>{label}</text>'
    if is_two:
        yield f'{centred} y="{box.y + 28:.1f}" font-size="11" fill="{soft}">{sub}</text>'
