"""Tests of the summary of a model as a table."""

import io
import json

import pytest

from stetho.errors import UsageError
from stetho.inspect.operations import Failure, Operand, TensorFacts
from stetho.inspect.summarizing import Row, Summary, Totals
from stetho.store.documents import encode
from stetho.views.model_summary import labels, print_model_summary, shapes, summary_document, summary_table

OUT = TensorFacts((2, 3), "float32", "cpu")
ROWS = (
    Row("", "Net", 0, "ran", outputs=(OUT,), parameters=10, trainable=8, flops=1500, saved=2048),
    Row("body.fc", "Linear", 1, "ran", outputs=(OUT, OUT), parameters=6),
    Row("body.fc.inner", "Linear", 2, "again", outputs=(OUT,), parameters=6),
    Row("head", "Linear", 1, "ran", outputs=(OUT,), parameters=4, shared=True),
    Row("unused", "Linear", 1, "not called"),
)
SUMMARY = Summary("Net", ROWS, Totals(parameters=10, trainable=8, flops=1500, saved=2048, repeated_names=1))


def drawn(summary: Summary, **options: object) -> str:
    file = io.StringIO()
    print_model_summary(summary, file, **options)  # type: ignore[arg-type]
    return file.getvalue()


def test_rows_are_a_tree_with_short_names() -> None:
    assert labels(ROWS) == ["(model)", "  body.fc", "    inner", "  head", "  unused"]


def test_parameters_are_shown_once() -> None:
    cells = [row[3] for row in summary_table(SUMMARY)[1]]
    assert cells == ["10", "6", "above", "shared 4", "–"]


def test_totals_are_told_in_words() -> None:
    text = drawn(SUMMARY)
    assert "10 parameters, 0 B, 2 of them frozen; 1 name of shared ones counted once" in text
    assert "1.50 kFLOP forward" in text
    assert "not called: unused" in text


def test_depth_and_columns_are_chosen() -> None:
    columns, rows = summary_table(SUMMARY, depth=1, columns=["dtype", "trainable"])
    assert [column.title for column in columns] == ["layer", "dtype", "trainable"]
    assert len(rows) == 4


def test_an_unknown_column_is_one_clear_error() -> None:
    with pytest.raises(UsageError, match="unknown column `flop`, did you mean `flops`"):
        summary_table(SUMMARY, columns=["flop"])


def test_a_failure_and_missing_inputs_are_told() -> None:
    failure = Failure("ValueError: bad", "head", "Linear", "linear", (Operand(OUT),), None)
    assert "failed: layer `head` (Linear) failed in linear(float32[2, 3]): ValueError: bad" in drawn(
        Summary("Net", ROWS, Totals(), failure)
    )
    assert "no inputs" in drawn(Summary("Net", ROWS, Totals(), None, False))


def test_the_document_can_be_written_as_json() -> None:
    failure = Failure("ValueError: bad", "head", "Linear", "linear", (Operand(OUT),), None)
    document = json.loads(encode(summary_document(Summary("Net", ROWS, Totals(), failure))))
    assert document["rows"][0]["outputs"] == [{"shape": [2, 3], "dtype": "float32", "device": "cpu"}]
    assert document["failure"]["inputs"] == ["float32[2, 3]"]


def test_many_outputs_are_cut() -> None:
    assert shapes([OUT] * 5) == "2×3, 2×3, 2×3 +2"


def test_totals_are_folded_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = drawn(SUMMARY).split()
    monkeypatch.setenv("COLUMNS", "60")
    narrow = drawn(SUMMARY)
    assert max(map(len, narrow.splitlines())) <= 60
    totals = narrow.rpartition("\n\n")[2].split()
    assert totals == whole[-len(totals) :]


def test_columns_that_do_not_fit_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no room" not in drawn(SUMMARY)
    monkeypatch.setenv("COLUMNS", "60")
    assert "no room for: kept; a wider terminal, a pipe or --json has it\n" in drawn(SUMMARY)


def test_layers_that_torchscript_calls_are_not_said_to_be_idle() -> None:
    rows = (Row("", "RecursiveScriptModule", 0, "ran", outputs=(OUT,), flops=6), Row("fc", "Linear", 1, "not seen"))
    text = drawn(Summary("Net", rows, Totals(flops=6)))
    assert "not called" not in text
    assert "not seen: fc; TorchScript calls its layers without Python" in text
    assert "FLOP backward" not in text
