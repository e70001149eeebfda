"""Tables for the terminal."""

import io

import pytest

from stetho.views.table import Column, print_table

COLUMNS = [Column("layer", is_text=True), Column("rms"), Column("step")]
ROWS = [["encoder.layers.0.self_attention.output.dense", "0.5", "1"], ["head [x]", "12", "1,000"]]


def drawn() -> str:
    file = io.StringIO()
    print_table(COLUMNS, ROWS, file)
    return file.getvalue()


def test_a_pipe_gets_whole_rows() -> None:
    assert drawn() == (
        "layer                                         rms   step\n"
        "encoder.layers.0.self_attention.output.dense  0.5      1\n"
        "head [x]                                       12  1,000\n"
    )


def test_a_narrow_terminal_folds_names_and_keeps_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert drawn() == (
        "layer                         rms   step\n"
        "encoder.layers.0.self_attent  0.5      1\n"
        "ion.output.dense\n"
        "head [x]                       12  1,000\n"
    )


def test_optional_columns_go_before_anything_is_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [Column("run", is_text=True), Column("started", is_text=True, is_optional=True), Column("steps")]
    rows = [["a-rather-long-name", "2026-11-15 19:40", "12"]]
    for width, titles in ((60, ["run", "started", "steps"]), (43, ["run", "started", "steps"]), (42, ["run", "steps"])):
        monkeypatch.setenv("COLUMNS", str(width))
        file = io.StringIO()
        print_table(columns, rows, file)
        assert file.getvalue().splitlines()[0].split() == titles
        assert len(file.getvalue().splitlines()) == 2


@pytest.mark.parametrize("rows", [[], [["名前", "0.5", "1"]], [["e\u0301", "0.5", "1"]]])
def test_a_pipe_gets_what_a_wide_terminal_would_draw(monkeypatch: pytest.MonkeyPatch, rows: list[list[str]]) -> None:
    rows = [*rows, ["  indented", "–", "1,000"], ["", "1", ""], ["8×16 … µ", "½", "²"]]
    plain, drawn_wide = io.StringIO(), io.StringIO()
    print_table(COLUMNS, rows, plain)
    monkeypatch.setenv("COLUMNS", "200")
    print_table(COLUMNS, rows, drawn_wide)
    assert plain.getvalue() == drawn_wide.getvalue()


def test_dotted_names_are_folded_at_their_dots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "42")
    file = io.StringIO()
    print_table([Column("layer", is_text=True, is_dotted=True), *COLUMNS[1:]], ROWS, file)
    assert [line[:28].rstrip() for line in file.getvalue().splitlines()[1:]] == [
        "encoder.layers.0.",
        "self_attention.output.dense",
        "head [x]",
    ]


def test_a_folded_name_stays_as_far_to_the_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    drawn = io.StringIO()
    columns = [Column("layer", is_text=True, is_dotted=True), Column("class", is_text=True)]
    print_table(columns, [["      relative_attention_bias", "Embedding of positions"]], drawn)
    assert [line[:20].rstrip() for line in drawn.getvalue().splitlines()[1:]] == [
        "      relative_",
        "      attention_bias",
    ]


def test_columns_that_there_is_no_room_for_are_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [Column("name", is_text=True), Column("shape", is_optional=True), Column("line", is_optional=True)]
    rows = [["layer", "2×3×32×32", "program.py:123"]]
    for width, missing in (("40", []), ("20", ["line"]), ("10", ["shape", "line"])):
        monkeypatch.setenv("COLUMNS", width)
        assert print_table(columns, rows, io.StringIO()) == missing


def test_class_names_are_folded_at_their_capitals_before_a_column_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    columns = [Column("class", is_text=True, is_class=True), Column("rms", is_optional=True)]
    drawn = io.StringIO()
    assert print_table(columns, [["CausalSelfAttentionWithRotaryEmbeddings", "0.5"], ["GRU", "1"]], drawn) == []
    assert drawn.getvalue().splitlines()[1:] == [
        "CausalSelfAttention   0.5",
        "WithRotaryEmbeddings",
        "GRU                     1",
    ]
