"""Tests of equal rows in one."""

from stetho.inspect.folding import folded
from stetho.inspect.summarizing import Row


def blocks(*kinds: str) -> list[Row]:
    rows = [Row("", "Net", 0, "ran")]
    for number, kind in enumerate(kinds):
        rows += [
            Row(f"blocks.{number}", "Block", 1, "ran", parameters=4),
            Row(f"blocks.{number}.fc", kind, 2, "ran", parameters=4),
        ]
    return rows


def test_equal_neighbours_are_one_row() -> None:
    found = folded(blocks("Linear", "Linear", "Linear"))
    assert [(each.name, each.repeats) for each in found] == [("", 1), ("blocks.0 … 2", 3), ("blocks.0.fc", 1)]


def test_what_differs_inside_stays_apart() -> None:
    found = folded(blocks("Linear", "Linear", "Conv2d"))
    assert [each.name for each in found if each.depth == 1] == ["blocks.0 … 1", "blocks.2"]


def test_layers_with_names_of_their_own_are_not_folded() -> None:
    rows = [Row("", "Net", 0, "ran"), Row("left", "Linear", 1, "ran"), Row("right", "Linear", 1, "ran")]
    assert folded(rows) == rows


def test_another_cost_is_another_layer() -> None:
    rows = blocks("Linear", "Linear")
    rows[-1] = rows[-1]._replace(flops=5)
    assert len(folded(rows)) == len(rows)


def test_equal_calls_of_one_layer_are_one_row_after_the_first() -> None:
    rows = [Row("", "Net", 0, "ran"), Row("cell", "GRUCell", 1, "ran", parameters=4)]
    rows += [Row("cell", "GRUCell", 1, "again", parameters=4, saved=saved) for saved in (8, 16, 8)]
    found = folded(rows)
    assert [(each.name, each.status, each.repeats) for each in found[1:]] == [("cell", "ran", 1), ("cell", "again", 3)]
