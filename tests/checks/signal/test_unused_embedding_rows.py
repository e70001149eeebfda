import pytest

from stetho.checks.declare import Skip
from stetho.checks.facts import Layer, Parameter
from stetho.checks.signal.unused_embedding_rows import unused_embedding_rows
from stetho.checks.window import Window
from stetho.findings.finding import Finding
from stetho.testing import make_window

LAYERS = {"emb": "Embedding(100, 8)", "fc": "Linear(8, 2)"}


def window_with(share: float) -> Window:
    state = {("emb.weight", "state.exp_avg_sq.zeros"): 800 * share, ("emb.weight", "state.exp_avg_sq.count"): 800}
    return make_window(layers=LAYERS, stats=state)


def test_finds_rows_that_are_never_used() -> None:
    finding = unused_embedding_rows(window_with(0.9))
    assert "90% of the 100 rows" in finding.title
    assert finding.severity == "note"


def test_stays_quiet_when_most_are_used() -> None:
    assert unused_embedding_rows(window_with(0.1)) is None


def test_skips_models_without_an_embedding_or_its_state() -> None:
    with pytest.raises(Skip):
        unused_embedding_rows(make_window())
    with pytest.raises(Skip):
        unused_embedding_rows(make_window(layers=LAYERS))


def test_leaves_indices_that_are_constant_to_another_check() -> None:
    assert unused_embedding_rows(window_with(0.99)).severity == "note"


def test_says_nothing_of_rows_where_no_gradient_arrives_at_all() -> None:
    with pytest.raises(Skip):
        unused_embedding_rows(window_with(1.0))


def asked(highest: tuple[int, ...], rows: int, right: int = 60) -> Finding | None:
    layers = [Layer("emb", "Embedding", "100, 8", called="model.py:7", rows_asked=rows, highest_asked=highest)]
    parameters = [Parameter("emb.weight", (100, 8), 800)]
    answers = {"label_counts": [[50, 50]] * 60, "correct": right, "counted": 100}
    state = {("emb.weight", "state.exp_avg_sq.zeros"): 80, ("emb.weight", "state.exp_avg_sq.count"): 800}
    none = {"label_counts": None}
    return unused_embedding_rows(
        make_window(layers=layers, parameters=parameters, stats=state, batch=answers, eval_batch=none)
    )


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


def cut_off(last: int, highest_id: int, words: int = 0) -> Finding | None:
    layers = [Layer("users", "Embedding", last_asked=last), Layer("words", "Embedding", last_asked=words)]
    parameters = [Parameter("users.weight", (120, 8), 960), Parameter("words.weight", (40, 8), 320)]
    state = {("users.weight", "state.exp_avg_sq.zeros"): 80, ("users.weight", "state.exp_avg_sq.count"): 960}
    given = {"dtype": ["int64"] * 60, "max": highest_id, "shape": [[128]] * 60}
    return unused_embedding_rows(make_window(layers=layers, parameters=parameters, stats=state, batch=given))


def test_finds_ids_that_are_cut_off_before_the_table_made_for_them() -> None:
    found = cut_off(9, 119)
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
    assert cut_off(last, highest_id, words) is None
