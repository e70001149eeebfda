"""A profile as JSON, CSV and trace events."""

import csv
import io
import json

from stetho.profiling.document import write_csv, write_json, write_trace
from tests.profiling.sample import PROFILE


def test_json_holds_everything_but_the_time_line() -> None:
    file = io.StringIO()
    write_json(PROFILE, file)
    document = json.loads(file.getvalue())
    assert document["format"] == "stetho-profile/1"
    assert document["steps_per_second"] == 100
    assert document["layers"][1]["backward"]["mean"] == 0.004
    assert document["stacks"][0] == {"stack": ["forward", "model", "model.fc", "aten::mm"], "seconds": 0.002}
    assert "spans" not in document


def test_csv_has_a_row_for_each_layer_and_operation() -> None:
    file = io.StringIO()
    write_csv(PROFILE, file)
    rows = list(csv.DictReader(io.StringIO(file.getvalue())))
    assert [(row["kind"], row["name"]) for row in rows] == [
        ("layer", "model"),
        ("layer", "model.fc"),
        ("operation", "aten::mm"),
    ]
    assert float(rows[1]["flops_per_second"]) == 2e9
    assert (rows[1]["saved_bytes"], rows[2]["phase"]) == ("2048", "forward")


def test_the_time_line_is_in_the_trace_event_format() -> None:
    file = io.StringIO()
    write_trace(PROFILE, file)
    span, thread = json.loads(file.getvalue())["traceEvents"]
    assert (span["ph"], span["name"], span["ts"], span["dur"]) == ("X", "model.fc", 1000, 2000)
    assert (thread["ph"], thread["tid"]) == ("M", 1)
