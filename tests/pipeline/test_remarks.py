"""Tests of remarks: what is odd is said with its number, and nothing is said of what is not."""

from stetho.pipeline.facts import Batches, Duplicates, Field, Split
from stetho.pipeline.remarks import between, remarks

NONE = Duplicates(10)


def said(field=None, duplicates=NONE, batches=None):
    return list(remarks([field] if field else [], duplicates, batches))


def test_nothing_is_said_of_ordinary_data():
    label = Field("y", "int", "[]", 100, low=0, high=1, counts=(("0", 51), ("1", 49)), is_label=True)
    assert said(label) == []
    assert said(Field("x", "float32", "[3]", 100, low=0, high=1, mean=0.5, std=0.2, constant=0, size=3)) == []


def test_values_that_are_no_numbers_are_named_with_their_samples():
    (line,) = said(Field("x", "float32", "[3]", 9, nan=2, inf=1, nonfinite_at=(4, 8)))
    assert line == "`x` holds 2 NaN and 1 infinite values, first in sample 4, 8"


def test_constant_blank_missing_and_mixed_values_are_said():
    assert "5 of 9 positions that never change" in said(Field("x", "float32", "[9]", 9, constant=5, size=9))[0]
    assert "is 3 in every sample" in said(Field("x", "int", "[]", 9, low=3, high=3, counts=(("3", 9),)))[0]
    assert "2 samples with one value" in said(Field("x", "uint8", "[99]", 9, blank=2, blank_at=(1, 2)))[0]
    assert "missing or None in 4" in said(Field("x", "int", "[]", 9, missing=4))[0]
    assert "several makes" in said(Field("x", "int | float", "[]", 9))[0]


def test_rare_and_overwhelming_classes_are_said():
    lines = said(Field("y", "int", "[]", 100, counts=(("0", 97), ("1", 3)), is_label=True))
    assert lines == ["`y` has 1 rare class among 2: 1 (3)", "`y` is 0 in 97% of the samples"]


def test_duplicates_conflicts_and_padding_are_said():
    lines = said(duplicates=Duplicates(10, 2, ((0, 1), (0, 2)), 1, ((0, 2),)))
    assert lines[0] == "2 samples (20%) repeat an earlier one: 0 = 1, 0 = 2"
    assert "another label: 0 = 2" in lines[1]
    batches = Batches(3, (4,), (Field("ids", "int64", "[4, 9]", 3, padding=0.5),))
    assert "50% of `ids`" in said(batches=batches)[0]


def test_splits_that_share_samples_or_differ_are_said():
    train = [Field("x", "f", "[]", 9, mean=0.0, std=1.0), Field("y", "int", "[]", 9, counts=(("0", 9),), is_label=True)]
    val = (Field("x", "f", "[]", 9, mean=100.0, std=1.0), Field("y", "int", "[]", 9, counts=(("7", 9),), is_label=True))
    lines = list(between("train", train, Split("val", 9, val, 3, ((0, 5),), Duplicates(9))))
    assert lines[0] == "3 samples of val (33%) are in train too: 5 as 0"
    assert "100.0 deviations apart" in lines[1]
    assert "classes in val that train has not: 7" in lines[2]
    assert "no field `y`" in list(between("train", train, Split("val", 9, val[:1], 0, (), Duplicates(9))))[1]
