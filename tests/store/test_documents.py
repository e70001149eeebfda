"""JSON that every reader takes, and errors that name the place."""

import json
import math
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stetho.errors import RunDamaged
from stetho.store.documents import encode, extended, read_lines, read_object

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(PLAIN)
def test_plain_data_comes_back(data: object) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    text = encode(data)
    assert text.count(b"\n") == 1
    assert json.loads(text, parse_constant=refuse) == json.loads(json.dumps(data))


def test_what_json_does_not_know_becomes_a_text_or_a_plain_value() -> None:
    data = {1: (math.inf, -math.inf, np.float32(0.5)), "path": Path("a"), "array": np.arange(2), "cut": "\ud800"}
    assert json.loads(encode(data)) == {"1": ["Infinity", "-Infinity", 0.5], "path": "a", "array": [0, 1], "cut": "?"}
    assert json.loads(encode([Decimal("1.5"), {3}])) == [1.5, [3]]


def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_bytes(encode({"a": 1}) + encode({"a": 2})[:-1])
    assert read_lines(file) == [{"a": 1}]


@pytest.mark.parametrize(("line", "reason"), [(b"{oops}", "not JSON"), (b"[]", "a list"), (b"3", "a number")])
def test_a_bad_line_is_named_by_its_number(tmp_path: Path, line: bytes, reason: str) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_bytes(encode({"a": 1}) + line + b"\n" + encode({"a": 3}))
    with pytest.raises(RunDamaged, match=rf"notes\.jsonl, line 2: .*{reason}"):
        read_lines(file)


def test_no_file_of_lines_is_no_lines(tmp_path: Path) -> None:
    assert read_lines(tmp_path / "notes.jsonl") == []


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[1]", b"null", b'"text"', b"[" * 100_000])
def test_a_file_that_holds_no_object_is_damaged(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "run.json"
    file.write_bytes(content)
    with pytest.raises(RunDamaged, match=r"run\.json"):
        read_object(file)


@given(st.dictionaries(st.text(), PLAIN), st.dictionaries(st.text(), PLAIN), st.sampled_from([None, 1]))
def test_an_object_with_further_members_is_one_object(
    first: dict[str, object], more: dict[str, object], indent: int | None
) -> None:
    content = extended(encode(first, indent=indent), more)
    assert json.loads(content) == json.loads(encode({**first, **more}))
    assert content.endswith(b"\n")
