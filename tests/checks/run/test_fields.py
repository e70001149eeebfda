"""Fields of a document that somebody else may have written."""

from stetho.checks.run import fields


def test_fields_are_of_the_wanted_kind_or_nothing() -> None:
    data = {"name": "fc", "empty": "", "steps": 3, "on": True, "many": 3.5}
    assert (fields.text(data, "name"), fields.text(data, "empty"), fields.text(data, "steps")) == ("fc", None, None)
    assert (fields.whole(data, "steps"), fields.whole(data, "many"), fields.whole(data, "gone")) == (3, 0, 0)
    assert (fields.truth(data, "on"), fields.truth(data, "steps")) == (True, None)
    assert fields.rest(data, ("name", "empty", "on")) == {"steps": 3, "many": 3.5}


def test_lists_keep_what_fits() -> None:
    assert fields.texts(["a", 3, None]) == ("a",)
    assert fields.texts("a") == ()
    assert (fields.shape([2, 3]), fields.shape([2, "x"]), fields.shape(None)) == ((2, 3), None, None)
    assert fields.numbers([1, "NaN"])[0] == 1.0
    assert fields.numbers(None) == ()
