"""Tests of the JSON of a data pipeline."""

import json

from stetho.pipeline.facts import Picture, Report, Shown, Stage
from stetho.views.data_json import data_document


def test_is_json_without_pictures_and_with_any_key():
    picture = Picture("image", "x", b"\x89PNG")
    shown = (Shown((1, "a"), (picture,), ()),)
    report = Report(
        "a", "b", 1, 1, 0.1, 0.1, ((object, 0.1),), (), (), (Stage("Crop", 0, 0.1, 1, picture=picture),), shown=shown
    )
    written = json.dumps(data_document(report))
    assert "PNG" not in written
    assert "Crop" in written
