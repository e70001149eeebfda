"""Two traces, operation by operation."""

import json
from pathlib import Path

import numpy as np
import pytest

from stetho.comparing.runs.operations import Traced, aligned, differing_operations
from stetho.errors import RunDamaged
from stetho.store.format import TRACE_FILE, TRACE_VALUES_FILE
from stetho.store.reader import Run
from stetho.store.writer import RunWriter


def traced(folder: Path, *operations: tuple[str, list[float]], constants: str = "1") -> Traced:
    writer = RunWriter.create(folder, "traced", {})
    rows, at, content = [], 0, b""
    for number, (name, values) in enumerate(operations):
        array = np.asarray(values, np.float32)
        given = "" if number == 0 else str(operations[number - 1][1])
        place = [at, array.dtype.str, list(array.shape)]
        rows.append(
            {"number": number, "operation": name, "phase": "forward", "layer": "fc", "line": "a.py:3", "given": [given],
             "constants": [constants], "results": [place]}
        )  # fmt: skip
        at, content = at + array.nbytes, content + array.tobytes()
    (writer.path / TRACE_FILE).write_text(json.dumps({"step": 1, "rows": rows}))
    (writer.path / TRACE_VALUES_FILE).write_bytes(content)
    return Traced(Run(writer.path))


def test_the_first_operation_with_another_result_is_found(tmp_path: Path) -> None:
    one = traced(tmp_path / "a", ("mul", [1, 2]), ("exp", [3, 4]), ("sum", [7]))
    other = traced(tmp_path / "b", ("mul", [1, 2]), ("exp", [3, 5]), ("sum", [8]))
    found = differing_operations(one, other)
    assert [each["operation"] for each in found] == ["exp", "sum"]
    assert "its inputs are equal, bit by bit" in found[0]["details"][-1]
    assert found[0]["lines"] == ["a.py:3", "a.py:3"]


def test_other_constants_are_shown(tmp_path: Path) -> None:
    one = traced(tmp_path / "a", ("div", [1, 2]), constants="4.0")
    other = traced(tmp_path / "b", ("div", [2, 4]), constants="2.0")
    assert differing_operations(one, other)[0]["details"][-1] == "its arguments: 4.0 and 2.0"


def test_an_exchanged_operation_stands_beside_the_other(tmp_path: Path) -> None:
    one = traced(tmp_path / "a", ("mul", [1]), ("tanh", [1]), ("sum", [1]))
    other = traced(tmp_path / "b", ("mul", [1]), ("sigmoid", [2]), ("sum", [2]))
    assert differing_operations(one, other)[0]["sentence"] == "tanh and sigmoid, forward of `fc`"


def test_what_one_program_alone_computes_without_effect_is_no_difference(tmp_path: Path) -> None:
    one = traced(tmp_path / "a", ("mul", [1]), ("sum", [1]))
    other = traced(tmp_path / "b", ("mul", [1]), ("clone", [1]), ("sum", [1]))
    assert differing_operations(one, other) == []


def test_memory_that_was_not_filled_is_not_compared(tmp_path: Path) -> None:
    one, other = traced(tmp_path / "a", ("empty", [1])), traced(tmp_path / "b", ("empty", [2]))
    assert differing_operations(one, other) == []


def test_rounding_is_left_out_where_it_is_expected(tmp_path: Path) -> None:
    one, other = traced(tmp_path / "a", ("mul", [1])), traced(tmp_path / "b", ("mul", [1.0001]))
    assert differing_operations(one, other, at_least=1e-3) == []


def test_values_that_are_cut_short_are_damage(tmp_path: Path) -> None:
    one = traced(tmp_path / "a", ("mul", [1, 2]))
    (one.path / TRACE_VALUES_FILE).write_bytes(b"abc")
    with pytest.raises(RunDamaged, match="shorter than its trace says"):
        differing_operations(Traced(Run(one.path)), Traced(Run(one.path)))


def test_equal_sequences_are_paired_one_by_one() -> None:
    rows = [{"operation": "mul", "phase": "forward", "results": [1]}]
    assert list(aligned(rows, rows)) == [(rows[0], rows[0])]


def test_what_one_program_alone_computes_before_a_difference_is_named_also_where_rounding_is_expected(
    tmp_path: Path,
) -> None:
    one = traced(tmp_path / "a", ("relu", [1, 2]), ("addmm", [3, 4]))
    other = traced(tmp_path / "b", ("relu", [1, 2]), ("mul", [2, 4]), ("addmm", [5, 6]))
    found = differing_operations(one, other, at_least=1e-4)
    assert [each["operation"] for each in found] == ["mul", "addmm"]
    assert found[0]["details"] == ["the second program alone computes this"]
    assert "see what one program alone computes before it" in found[1]["details"][-1]
