"""Prefixes that one checkpoint has and another lacks."""

from stetho.checkpoints.naming import extra_prefix, layer_of, meeting_of


def test_the_prefix_is_the_one_that_makes_most_names_meet() -> None:
    names = ["state_dict.net.a.w", "state_dict.net.b.w", "optimizer.b.w"]
    assert extra_prefix(names, ["a.w", "b.w"]) == "state_dict.net."


def test_there_is_no_prefix_where_names_meet_as_they_are() -> None:
    assert extra_prefix(["a.b.w", "b.w", "c.w"], ["b.w", "c.w", "w"]) == ""


def test_nothing_in_common_has_no_prefix() -> None:
    assert extra_prefix(["a"], ["b"]) == ""


def test_a_hidden_first_letter_is_no_layer() -> None:
    assert layer_of(".hidden") == ""


def test_strokes_and_dots_meet_where_only_that_makes_names_meet() -> None:
    found = meeting_of(["net.a.w", "net.b.w"], ["a/w", "b/w"])
    assert (found.first, found.second) == (["a.w", "b.w"], ["a.w", "b.w"])
    assert ["`/`" in note for note in found.notes] == [True, False]


def test_names_that_meet_as_they_are_stay_as_they_are() -> None:
    assert meeting_of(["a/w", "b/w"], ["a/w", "b/w"]).notes == []


def test_names_that_would_become_one_stay_as_they_are() -> None:
    assert meeting_of(["a/w", "a.w"], ["x.y", "a.w"]).first == ["a/w", "a.w"]
