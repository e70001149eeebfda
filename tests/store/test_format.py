"""The format holds together."""

import re
from pathlib import Path

import pyarrow as pa

from stetho.stats.catalogue import MEASURES as CATALOGUE
from stetho.store.columns import from_values
from stetho.store.format import (
    FORMAT_VERSION,
    HISTOGRAM_BUCKETS,
    HISTOGRAMS,
    MEASURES,
    SEAL_BATCHES,
    SEAL_ROWS,
    STATS,
    TABLES,
)

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "run-format.md"


def test_the_columns_of_stats_are_the_measures() -> None:
    assert tuple(STATS.names) == ("step", "series", *MEASURES)


def test_the_catalogue_explains_every_measure() -> None:
    assert {measure.name for measure in CATALOGUE} == set(MEASURES)


def test_every_table_has_a_step_and_a_size() -> None:
    assert SEAL_ROWS.keys() == TABLES.keys()
    for schema in TABLES.values():
        assert schema.field("step").type == pa.int32()


def test_every_column_has_a_type_that_the_writer_can_make() -> None:
    for schema in TABLES.values():
        for field in schema:
            if not pa.types.is_fixed_size_list(field.type):
                assert from_values([None], field.type).type == field.type


def test_histograms_have_two_sides_and_a_zero() -> None:
    assert HISTOGRAM_BUCKETS == 257
    assert HISTOGRAMS.field("counts").type.list_size == HISTOGRAM_BUCKETS


def test_the_page_about_the_format_names_every_column() -> None:
    page = PAGE.read_text(encoding="utf-8")
    _, *parts = re.split(r"^`(\w+)`: ", page, flags=re.MULTILINE)
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    for table, schema in TABLES.items():
        section = sections[table].partition("\n## ")[0]
        described = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)))
        assert described == schema.names


def test_the_page_about_the_format_gives_the_sizes() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for size in (SEAL_BATCHES, *SEAL_ROWS.values()):
        assert f"{size:,}" in page
    assert f"format version {FORMAT_VERSION}." in page
