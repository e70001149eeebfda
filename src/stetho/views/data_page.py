"""A data pipeline as one HTML page with pictures: nothing is loaded from elsewhere, and no script is needed."""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from stetho.pipeline.facts import Failure, Field, Picture, Report, Shown, Stage
from stetho.views import text
from stetho.views.data import field_table, heading, listed, stage_table
from stetho.views.data_lines import facts, failed
from stetho.views.data_page_style import STYLE
from stetho.views.error import error_lines
from stetho.views.table import Column

WIDTH_OF_TEXT = 110
CLASSES_SHOWN = 40
SMALLEST_IMAGE = 96
CURVE_WIDTH, CURVE_HEIGHT = 240, 72


def data_page(report: Report, *, is_part: bool = False) -> str:
    """The page, or with `is_part` what stands in its body, for a notebook."""
    body = f'<div class="stetho-data">{"".join(_sections(report))}</div>'
    if is_part:
        return f"<style>{STYLE}</style>{body}"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(report.name)} · stetho data</title><style>{STYLE}</style></head><body>{body}</body></html>\n"
    )


def _sections(report: Report) -> Iterator[str]:
    lead = heading(report).partition(f"{report.name} · ")[2]
    yield f"<h1>{escape(report.name)}</h1><p class='lead'>{escape(lead)}</p>"
    rows = "".join(f"<dt>{escape(label)}</dt><dd>{escape(' · '.join(parts))}</dd>" for label, parts in facts(report))
    yield f"<dl>{rows}</dl>"
    if report.failures:
        yield _section("Cannot be made", "".join(map(_failure, report.failures)), "bad")
    if report.remarks:
        yield _section("Worth a look", _list(report.remarks), "remarks")
    if report.shown:
        yield _section("Samples, one by one", _grid(report.shown))
    yield _section("Fields", _table(*field_table(report.fields)))
    if report.batches is not None:
        batches = report.batches
        title = f"The first of {text.plural(batches.count, 'batch', 'batches')}, as the model gets it"
        yield _section(title, _grid(batches.first) + _table(*field_table(batches.fields)))
    if report.stages:
        title = f"Transforms · means of {text.plural(report.traced, 'sample')}"
        yield _section(title, _strip(listed(report.stages)) + _table(*stage_table(report.stages)))
    labels = [field for field in report.fields if field.is_label and len(field.counts) > 1]
    if labels:
        yield _section("Classes", "".join(map(_bars, labels)))
    for split in report.splits:
        common = f"<p>{split.shared:,} of its {split.duplicates.looked_at:,} samples are in both.</p>"
        yield _section(f"Against {split.name}", common + _table(*field_table(split.fields)))
    if report.notes:
        yield _section("Notes", _list(report.notes))


def _section(title: str, content: str, kind: str = "") -> str:
    return f"<section class='{kind}'><h2>{escape(title)}</h2>{content}</section>"


def _list(lines: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def _failure(failure: Failure) -> str:
    lines = "\n".join(line for line, _ in error_lines(failure.error, WIDTH_OF_TEXT))
    return f"<h3>{escape(failed(failure))}</h3><pre>{escape(lines)}</pre>"


def _table(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th{_side(column)}>{escape(column.title)}</th>" for column in columns)
    body = "".join(
        "<tr>" + "".join(f"<td{_side(column)}>{escape(cell)}</td>" for column, cell in zip(columns, row, strict=True))
        for row in rows
    )
    return f"<div class='wide'><table><tr>{head}</tr>{body}</table></div>"


def _side(column: Column) -> str:
    return " class='text'" if column.is_text else ""


def _grid(samples: Sequence[Shown]) -> str:
    return "<div class='grid'>" + "".join(map(_sample, samples)) + "</div>"


def _sample(sample: Shown) -> str:
    pictures = "".join(_picture(picture, has_title=len(sample.pictures) > 1) for picture in sample.pictures)
    values = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in sample.values)
    return (
        f"<figure>{pictures}<figcaption>sample {escape(str(sample.key))}<table>{values}</table></figcaption></figure>"
    )


def _strip(stages: Sequence[Stage]) -> str:
    """What became of the first sample, transform by transform."""
    own = [stage for stage in stages if stage.is_chained or stage.line]
    drawn = [(stage, stage.picture) for stage in own if stage.picture is not None]
    if len(drawn) < 2:
        return ""
    figures = "".join(
        f"<figure>{_picture(picture, has_title=False)}<figcaption>{escape(stage.name)}</figcaption></figure>"
        # A caller ends after what it calls: in the order of time, the deepest comes first.
        for stage, picture in _in_order_of_return(drawn)
    )
    return f"<div class='grid strip'>{figures}</div>"


def _in_order_of_return(drawn: Sequence[tuple[Stage, Picture]]) -> list[tuple[Stage, Picture]]:
    ordered: list[tuple[Stage, Picture]] = []
    waiting: list[tuple[Stage, Picture]] = []
    for each in drawn:
        while waiting and waiting[-1][0].depth >= each[0].depth:
            ordered.append(waiting.pop())
        waiting.append(each)
    return ordered + waiting[::-1]


def _picture(picture: Picture, *, has_title: bool) -> str:
    title = f"<small>{escape(picture.title)}</small>" if has_title else ""
    if picture.kind == "image":
        times = max(1, SMALLEST_IMAGE // max(picture.height, 1))
        source = f"data:image/png;base64,{b64encode(picture.png).decode()}"
        size = f'width="{picture.width * times}" height="{picture.height * times}"'
        return f'<div>{title}<img alt="{escape(picture.title)}" {size} src="{source}"></div>'
    if picture.kind == "curve":
        return f"<div>{title}{_curve(picture)}</div>"
    kept = len(picture.text) if picture.faded_from is None else picture.faded_from
    faded = f"<span class='faded'>{escape(picture.text[kept:])}</span>" if kept < len(picture.text) else ""
    return f"<div class='words'>{title}{escape(picture.text[:kept])}{faded}</div>"


def _curve(picture: Picture) -> str:
    low, high = min(each[0] for each in picture.curve), max(each[1] for each in picture.curve)
    span = (high - low) or 1.0
    across = CURVE_WIDTH / max(len(picture.curve) - 1, 1)

    def point(place: int, value: float) -> str:
        return f"{place * across:.1f},{(high - value) / span * CURVE_HEIGHT:.1f}"

    upper = [point(place, each[1]) for place, each in enumerate(picture.curve)]
    lower = [point(place, each[0]) for place, each in enumerate(picture.curve)][::-1]
    return (
        f'<svg viewBox="0 -1 {CURVE_WIDTH} {CURVE_HEIGHT + 2}" width="{CURVE_WIDTH}" height="{CURVE_HEIGHT}">'
        f'<polygon points="{" ".join(upper + lower)}"/></svg><small>{low:.3g} … {high:.3g}</small>'
    )


def _bars(field: Field) -> str:
    most = field.counts[0][1]
    rows = "".join(
        f"<tr><th>{escape(value)}</th><td><i style='width:{100 * n / most:.1f}%'></i></td><td>{n:,}</td></tr>"
        for value, n in field.counts[:CLASSES_SHOWN]
    )
    rest = len(field.counts) - CLASSES_SHOWN
    more = f"<p>… {rest:,} more</p>" if rest > 0 else ""
    return f"<h3>{escape(field.name)}</h3><table class='bars'>{rows}</table>{more}"
