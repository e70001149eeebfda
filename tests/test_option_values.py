"""Readers of option values: what they take, and the rule they state otherwise."""

import contextlib
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stetho import option_values as values
from stetho.option_values import Dump, step_ranges

STEP_PARTS = st.lists(
    st.tuples(st.integers(1, 10**6), st.integers(0, 1000)).map(lambda pair: (pair[0], pair[0] + pair[1])),
    min_size=1,
    max_size=5,
)


@given(st.floats(min_value=1e-6, max_value=1.0))
def test_a_share_reads_the_same_as_fraction_text_and_number(number: float) -> None:
    assert values.share(number) == values.share(repr(number)) == number


@given(st.integers(1, 100), st.sampled_from(["{}%", "{} %", " {}% "]))
def test_a_share_reads_percentages(number: int, form: str) -> None:
    assert values.share(form.format(number)) == number / 100


@given(st.one_of(st.text(), st.floats(), st.integers(), st.none(), st.booleans(), st.lists(st.text())))
def test_a_share_is_within_bounds_or_refused(value: object) -> None:
    with contextlib.suppress(ValueError):
        assert 0 < values.share(value) <= 1


@given(STEP_PARTS)
def test_step_lists_read_back(parts: list[tuple[int, int]]) -> None:
    text = ",".join(f"{first}-{last}" if last > first else str(first) for first, last in parts)
    assert step_ranges(text) == tuple(parts)


@given(st.text(alphabet="0123456789,- @x", max_size=12))
def test_step_lists_are_rising_or_refused(text: str) -> None:
    with contextlib.suppress(ValueError):
        assert all(1 <= first <= last for first, last in step_ranges(text))


@given(STEP_PARTS, st.integers(1, 2 * 10**6))
def test_a_dump_covers_exactly_the_steps_of_its_ranges(parts: list[tuple[int, int]], step: int) -> None:
    dump = Dump("*", tuple(parts))
    assert dump.covers(step) == any(step in range(first, last + 1) for first, last in parts)


def test_a_dump_without_steps_is_of_the_first_step() -> None:
    dump = Dump.parse("encoder.*")
    assert dump.covers(1)
    assert not dump.covers(2)


def test_a_dump_matches_whole_names_by_glob() -> None:
    dump = Dump.parse("encoder.*@3")
    assert dump.matches("encoder.0.weight")
    assert not dump.matches("my.encoder.0")


@pytest.mark.parametrize("text", ["@1", " @1", "", "a@", "a@0", "a@5-3", "a@x", "a@1,,2"])
def test_a_dump_that_means_nothing_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must"):
        values.dumps(text)


@pytest.mark.parametrize("value", [0, -1, True, 1.5, "x", "", "1e3", None, [1], "9" * 5000])
def test_a_positive_number_is_refused_otherwise(value: object) -> None:
    with pytest.raises(ValueError, match="must be a whole number from 1 up"):
        values.positive_number(value)


@pytest.mark.parametrize("value", [-1, 0.5, "x", None])
def test_a_count_is_refused_otherwise(value: object) -> None:
    with pytest.raises(ValueError, match="must be a whole number from 0 up"):
        values.count(value)


@pytest.mark.parametrize("value", [-1, math.inf, math.nan, "x", None, True, 10**400])
def test_seconds_are_refused_otherwise(value: object) -> None:
    with pytest.raises(ValueError, match="must be a number of seconds"):
        values.seconds(value)


@pytest.mark.parametrize("value", [1, 0, "true", None])
def test_a_switch_is_true_or_false_and_nothing_else(value: object) -> None:
    with pytest.raises(ValueError, match="must be true or false"):
        values.switch(value)


@pytest.mark.parametrize("value", [[], "", "a,,b", ["a", ""]])
def test_empty_patterns_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="must be patterns"):
        values.patterns(value)


@pytest.mark.parametrize("value", [1, None, [1], {"a": 1}])
def test_patterns_are_texts(value: object) -> None:
    with pytest.raises(ValueError, match="must be a text or a list of texts"):
        values.patterns(value)


@pytest.mark.parametrize("value", ["setup", ":f", "a:", "a b:c", "a:b:c", 3, "../a:b"])
def test_a_function_name_needs_module_and_function(value: object) -> None:
    with pytest.raises(ValueError, match=r"package\.module:function"):
        values.function_name(value)


@pytest.mark.parametrize("value", ["../up", "a/b", "", ".", "-x", "a\nb", "x" * 200, None])
def test_a_name_cannot_leave_the_folder_of_runs(value: object) -> None:
    with pytest.raises(ValueError, match="must begin with a letter or digit"):
        values.folder_name(value)


def test_a_folder_may_be_a_path_object() -> None:
    assert values.folder(Path("a") / "b") == str(Path("a") / "b")


@pytest.mark.parametrize("value", ["", "  ", None, 3, "a\0b"])
def test_a_folder_is_a_path(value: object) -> None:
    with pytest.raises(ValueError, match="must be the path of a folder"):
        values.folder(value)


def test_a_choice_lists_the_words() -> None:
    with pytest.raises(ValueError, match="must be one of: all, parameters"):
        values.one_of("all", "parameters")("some")


def test_files_are_one_path_or_several() -> None:
    assert values.files(Path("a.py")) == ("a.py",)
    assert values.files(["a.py", Path("b.py")]) == ("a.py", "b.py")


@pytest.mark.parametrize("value", ["", 3, None, ["a.py", 3], "a\0b"])
def test_files_are_paths(value: object) -> None:
    with pytest.raises(ValueError, match="must be the path of a file"):
        values.files(value)


@pytest.mark.parametrize("value", [3, [], "x", {"dead-relu": 3}])
def test_tables_are_tables(value: object) -> None:
    with pytest.raises(ValueError, match="must be tables"):
        values.tables(value)
