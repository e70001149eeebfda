"""Operations of the preparation, and the values that they can and cannot make."""

import pytest

from stetho.checks.mechanisms.undefined import made_by


@pytest.mark.parametrize(
    ("operation", "result", "words"),
    [
        ("div: a / n", "nan", "a division by 0"),
        ("div: a / n", "inf", "a division by 0"),
        ("log10: np.log10(a)", "-inf", "the logarithm of 0"),
        ("log: a.log()", "nan", "the logarithm of a negative number"),
        ("sqrt: a.sqrt()", "nan", "the root of a negative number"),
        ("rsqrt: a.rsqrt()", "inf", "the root of 0"),
        ("acos: a.acos()", "nan", "a value outside of -1 to 1"),
    ],
)
def test_says_what_the_operation_was_given(operation: str, result: str, words: str) -> None:
    made = made_by(operation, result)
    assert made is not None
    assert made.by == f"{words} in `{operation.partition(': ')[2]}`"


@pytest.mark.parametrize(("operation", "result"), [("log: a.log()", "inf"), ("sqrt: a.sqrt()", "-inf"), (None, "nan")])
def test_says_nothing_where_the_operation_cannot_have_made_it(operation: str | None, result: str) -> None:
    assert made_by(operation, result) is None


def test_a_figure_of_all_samples_was_not_0_where_some_are_spared() -> None:
    operation = "div by a figure of all: a / a.std()"
    assert made_by(operation, "nan") is not None
    assert made_by(operation, "nan", are_some_spared=True) is None
    assert made_by("div: a / n", "nan", are_some_spared=True) is not None
