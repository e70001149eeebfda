"""Tests of tables in Markdown and HTML."""

from stetho.views.markup import html_table, markdown_table
from stetho.views.table import Column

COLUMNS = [Column("layer", is_text=True), Column("parameters")]


def test_markdown_keeps_the_tree_and_escapes_bars() -> None:
    assert markdown_table(COLUMNS, [["(model)", "4"], ["  a|b", "4"]]).splitlines() == [
        "| layer | parameters |",
        "| :-- | --: |",
        "| (model) | 4 |",
        "| &nbsp;&nbsp;a\\|b | 4 |",
    ]


def test_html_is_escaped() -> None:
    text = html_table(COLUMNS, [["<b>", "4"]], caption="a & b")
    assert "&lt;b&gt;" in text
    assert "<caption>a &amp; b</caption>" in text
