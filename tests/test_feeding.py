"""Tests of `stetho.data`: the door from Python."""

import pytest
import torch
from torch.utils.data import DataLoader, TensorDataset

import stetho
from tests.pipeline.feeds import FEEDS


def loader(rows=12):
    return DataLoader(TensorDataset(torch.arange(rows * 2.0).view(rows, 2), torch.arange(rows) % 3), batch_size=4)


def test_gives_fields_remarks_and_text():
    report = stetho.data(loader())
    assert report.ok
    assert [field["name"] for field in report.fields] == ["0", "1"]
    assert "batches, as the model gets them · 3 of 4" in str(report)


@pytest.mark.parametrize(("make", "samples", "fields"), FEEDS)
def test_every_kind_of_network_can_see_what_it_is_fed(make, samples, fields):
    before = torch.get_rng_state()
    report = stetho.data(make())
    assert (report.ok, report.report.samples) == (True, samples)
    given = report.report.batches or report.report
    assert {field.name: field.shape for field in given.fields} == fields
    assert all(name.removesuffix(".*") in shown for name in fields for shown in (str(report), report._repr_html_()))
    assert torch.equal(torch.get_rng_state(), before)


def test_splits_are_given_one_by_one_or_by_name():
    assert stetho.data(loader(), against=loader()).report.splits[0].shared == 12
    named = stetho.data(loader(), against={"val": loader(4), "test": loader(3)})
    assert [split.name for split in named.report.splits] == ["val", "test"]


def test_a_failure_makes_it_not_ok():
    report = stetho.data([1, 2], decode=None)
    assert report.ok
    assert not stetho.data(lambda: (1 // (2 - each) for each in range(5))).ok


def test_writes_a_page_and_shows_itself_in_a_notebook(tmp_path):
    report = stetho.data(loader())
    page = report.save(tmp_path / "data.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "<html" not in report._repr_html_()
    with pytest.raises(stetho.UsageError, match="no folder"):
        report.save(tmp_path / "missing" / "data.html")


def test_the_document_is_plain_data():
    document = stetho.data(loader()).document()
    assert (document["format"], document["samples"]) == (1, 12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"samples": 0}, r"`samples` \(=0\) is less than 1"),
        ({"batch_size": -1}, "`batch_size`"),
        ({"decode": 3}, "`decode` is an int"),
    ],
)
def test_options_without_a_meaning_are_one_clear_error(options, message):
    with pytest.raises(stetho.UsageError, match=message):
        stetho.data([1], **options)


def test_a_tokenizer_decodes_by_its_own_method():
    class Tokenizer:
        def __call__(self, *_):
            raise AssertionError("this is the way from text to ids")

        def decode(self, ids):
            return "-".join(map(str, ids))

    report = stetho.data([[1, 2, 3]], decode=Tokenizer())
    assert report.report.shown[0].pictures[0].text == "1-2-3"
