import pytest

from stetho.checks.mechanisms.indices import cut_off, piled_up, shared_rows
from stetho.checks.run.facts import Layer, Parameter
from stetho.findings.finding import Finding
from stetho.testing import make_window


def asked(highest: tuple[int, ...], rows: int, right: int = 60, **facts: object) -> Finding | None:
    layer = Layer("emb", "Embedding", "100, 8", called="model.py:7", rows_asked=rows, highest_asked=highest)
    parameter = Parameter("emb.weight", (100, 8), 800)
    answers = {"label_counts": [[50, 50]] * 60, "correct": right, "counted": 100}
    rows_seen = {"batch": answers, "eval_batch": {"label_counts": None}}
    return shared_rows(make_window(layers=[layer], parameters=[parameter], **rows_seen, **facts), layer, parameter)


def test_finds_places_of_a_sequence_that_all_ask_for_one_row() -> None:
    found = asked((0,) * 10, 1)
    assert (found.severity, found.where.line) == ("warning", 7)
    assert "a single one of 100 rows" in found.title


def test_finds_fields_that_share_rows_where_each_has_its_own() -> None:
    assert "the same 40 rows" in asked((39, 29, 28), 40).title


def test_stays_quiet_on_indices_that_may_be_meant() -> None:
    assert asked((0,) * 10, 1, right=90) is None
    assert asked((39, 29, 28), 40, right=90) is None
    # A text, positions, fields with offsets.
    for highest, rows in (((98, 99, 97, 99), 100), ((0, 1, 2, 3), 4), ((39, 69, 99), 100), ((99,), 100)):
        assert asked(highest, rows) is None


def limited(last: int, highest_id: int, words: int = 0) -> Finding | None:
    layers = [Layer("users", "Embedding", last_asked=last), Layer("words", "Embedding", last_asked=words)]
    parameters = [Parameter("users.weight", (120, 8), 960), Parameter("words.weight", (40, 8), 320)]
    given = {"dtype": ["int64"] * 60, "max": highest_id, "shape": [[128]] * 60}
    return cut_off(make_window(layers=layers, parameters=parameters, batch=given), layers[0], parameters[0])


def test_finds_ids_that_are_cut_off_before_the_table_made_for_them() -> None:
    found = limited(9, 119)
    assert found.severity == "error"
    assert "none after row 9" in found.title


@pytest.mark.parametrize(
    ("last", "highest_id", "words"),
    [
        pytest.param(118, 119, 0, id="all rows are asked for"),
        pytest.param(9, 19, 0, id="few ids in a large table"),
        pytest.param(9, 400, 0, id="ids that this table was not made for"),
        pytest.param(23, 119, 110, id="positions beside words"),
    ],
)
def test_stays_quiet_on_ids_that_reach_their_table(last: int, highest_id: int, words: int) -> None:
    assert limited(last, highest_id, words) is None


def test_points_at_the_line_that_makes_the_indices() -> None:
    assert asked((0,) * 10, 1, given={"model.py:7": {"indices of emb": "model.py:5"}}).where.line == 5


def piled(share: float | None = 0.7, highest_id: int = 399, words: int = 40, right: int = 60) -> Finding | None:
    layers = [Layer("users", "Embedding", called="model.py:7", share_at_end=share), Layer("words", "Embedding")]
    parameters = [Parameter("users.weight", (100, 8), 800), Parameter("words.weight", (words, 8), words * 8)]
    given = {"dtype": ["int64"] * 60, "max": highest_id, "shape": [[128]] * 60}
    given |= {"label_counts": [[50, 50]] * 60, "correct": right, "counted": 100}
    seen = make_window(layers=layers, parameters=parameters, batch=given, eval_batch={"label_counts": None})
    return piled_up(seen, layers[0], parameters[0])


def test_finds_ids_without_a_row_that_share_the_last_one() -> None:
    found = piled()
    assert (found.severity, found.where.line) == ("warning", 7)
    assert "ids up to 399, users.weight has 100 rows, and 70%" in found.title


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param({"share": 0.05}, id="rare words"),
        pytest.param({"share": None}, id="never looked at"),
        pytest.param({"highest_id": 99}, id="ids that have rows"),
        pytest.param({"words": 500}, id="places beside words"),
        pytest.param({"right": 95}, id="it learns"),
    ],
)
def test_stays_quiet_where_the_last_row_may_be_meant(facts: dict[str, int]) -> None:
    assert piled(**facts) is None
