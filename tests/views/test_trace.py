"""A trace as text."""

from stetho.views.trace import ROWS_SHOWN, trace_lines, trace_text


def row(number, bad=()):
    place = {"phase": "forward", "layer": "fc", "line": "a.py:3"}
    return {"number": number, "operation": "add", "values": "x → y", "bad": list(bad)} | place


def test_every_operation_has_a_line():
    text = trace_text({"operations": 2, "rows": [row(1), row(2)], "births": []})
    assert text.splitlines()[0] == "      1  add  x → y  fc · a.py:3"
    assert "all finite" in text


def test_of_a_long_trace_the_part_around_the_first_bad_value_is_shown():
    rows = [row(n, ["nan"] if n == 300 else []) for n in range(500)]
    text = trace_text({"operations": 500, "rows": rows, "births": []})
    assert "!   300" in text
    assert len(text.splitlines()) < ROWS_SHOWN
    assert len(trace_text({"operations": 500, "rows": rows, "births": []}, whole=True).splitlines()) > 500


def test_births_are_told_with_what_would_help():
    birth = {"phase": "forward", "expression": "log(0)", "result": "-inf", "index": [1], "line": "a.py:3",
             "why": "the logarithm of 0", "prevention": "clamp it", "chain": []}  # fmt: skip
    text = trace_text({"operations": 0, "rows": [], "births": [birth]})
    assert "log(0) = -inf at [1] is where it began  (a.py:3)" in text
    assert "try: Clamp it." in text


def test_in_a_narrow_terminal_no_tensor_is_torn_apart():
    values = "float32[16, 8] -1…2, float32[8, 16] 0…1, bool[3] 0…1 → float32[16, 16] nan 48"
    wide = {"rows": [row(1) | {"values": values}], "births": []}
    assert list(trace_lines(wide, width=50))[:3] == [
        "      1  add  fc · a.py:3",
        "         float32[16, 8] -1…2, float32[8, 16] 0…1,",
        "         bool[3] 0…1 → float32[16, 16] nan 48",
    ]
    assert max(map(len, trace_lines(wide, width=50))) <= 50
    assert len(list(trace_lines(wide))) == 2


def test_in_a_narrow_terminal_no_place_is_torn_apart():
    rows = [
        {
            "number": 1,
            "operation": "mm (gradient of addmm)",
            "layer": "a",
            "line": "some/where/train.py:8",
            "values": "x",
        },
        {"number": 2, "operation": "add", "layer": "a", "line": "some/where/train.py:8", "values": "x"},
    ]
    lines = list(trace_lines({"rows": rows}, width=42))
    assert lines[0].endswith("mm (gradient of addmm)")
    assert lines[1].strip() == "a · some/where/train.py:8"
    assert lines[3].split() == ["2", "add", "a", "·", "some/where/train.py:8"]
