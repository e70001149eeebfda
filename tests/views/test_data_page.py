"""Tests of the page of a data pipeline: complete, safe, and without anything from elsewhere."""

import re

from stetho.explaining.report import ErrorReport
from stetho.pipeline.facts import Batches, Duplicates, Failure, Field, Picture, Report, Shown, Split, Stage
from stetho.views.data_page import data_page

IMAGE = Picture("image", "x", b"\x89PNG", 8, 8)
CURVE = Picture("curve", "wave", curve=((0.0, 1.0), (-1.0, 0.5)))
WORDS = Picture("text", "ids", text="a cat <pad>", faded_from=6)


def page(**parts):
    label = Field("y", "int64", "[]", 9, counts=(("<script>", 6), ("1", 3)), is_label=True)
    return data_page(Report("feed.py:loader", "rows", 9, 9, 1.0, 0.1, (), (), (label,), **parts))


def test_shows_images_curves_texts_and_values():
    shown = page(shown=(Shown(5, (IMAGE, CURVE, WORDS), (("y", "1"),)),))
    assert 'src="data:image/png;base64,iVBORw=="' in shown
    assert 'width="96"' in shown
    assert "<polygon" in shown
    assert "<span class='faded'>&lt;pad&gt;</span>" in shown
    assert "<th>y</th><td>1</td>" in shown


def test_what_comes_from_data_is_no_markup():
    assert "<script" not in page(remarks=("<script>",), shown=(Shown("<script>", (), (("<script>", "<script>"),)),))


def test_needs_nothing_from_elsewhere():
    assert re.findall(r"(?:src|href)=.(?!data:)", page(shown=(Shown(5, (IMAGE,), ()),))) == []


def test_shows_what_became_of_a_sample_in_the_order_of_time():
    stages = (
        Stage("get", 0, 1.0, 1, line="feed.py:1", picture=IMAGE),
        Stage("Crop", 1, 0.5, 1, is_chained=True, picture=IMAGE),
        Stage("Flip", 1, 0.5, 1, is_chained=True, picture=IMAGE),
    )
    strip = page(stages=stages).partition("strip")[2].partition("</div></div>")[0]
    assert re.findall(r"<figcaption>(\w+)", page(stages=stages)) == ["Crop", "Flip", "get"]
    assert strip


def test_failures_batches_and_splits_have_their_place():
    shown = page(
        failures=(Failure("sample", 0, 7, ErrorReport("OSError", "broken", "feed.py:3", None)),),
        batches=Batches(1, (4,), (Field("x", "float32", "[4]", 1),), (Shown(1, (IMAGE,), ()),)),
        splits=(Split("val", 5, (), 2, (), Duplicates(5)),),
        notes=("a note",),
    )
    for part in ("Cannot be made", "The first of 1 batch, as the model gets it", "Against val", "a note"):
        assert part in shown
