"""Names as a tree."""

from stetho.views.checkpoint_tree import tree_lines


def test_names_stand_below_what_they_share() -> None:
    names = ["a.fc.weight", "a.fc.bias", "a.head.weight", "opt/slot/m", "opt/slot/v"]
    assert tree_lines(names) == [
        ("a", None),
        ("  fc", None),
        ("    weight", "a.fc.weight"),
        ("    bias", "a.fc.bias"),
        ("  head.weight", "a.head.weight"),
        ("opt/slot", None),
        ("  m", "opt/slot/m"),
        ("  v", "opt/slot/v"),
    ]


def test_a_tensor_may_have_others_below_it() -> None:
    assert tree_lines(["w", "w.scale"]) == [("w", "w"), ("  scale", "w.scale")]


def test_odd_names_are_kept() -> None:
    assert {name for _, name in tree_lines(["", ".", "a..b", "/"]) if name is not None} == {"", ".", "a..b", "/"}
