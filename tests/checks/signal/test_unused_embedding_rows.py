import pytest

from stetho.checks.declare import Skip
from stetho.checks.run.facts import Layer, Loss, Parameter
from stetho.checks.signal.unused_embedding_rows import unused_embedding_rows
from stetho.checks.window import Window
from stetho.testing import make_window

LAYERS = {"emb": "Embedding(100, 8)", "fc": "Linear(8, 2)"}


def window_with(share: float, **facts: object) -> Window:
    state = {("emb.weight", "state.exp_avg_sq.zeros"): 800 * share, ("emb.weight", "state.exp_avg_sq.count"): 800}
    return make_window(layers=LAYERS, stats=state, **facts)


def test_finds_rows_that_are_never_used() -> None:
    finding = unused_embedding_rows(window_with(0.9))
    assert "90% of the 100 rows" in finding.title
    assert finding.severity == "note"


@pytest.mark.parametrize(
    ("answers", "severity"),
    [
        pytest.param({"correct": 55}, "warning", id="near chance"),
        pytest.param({"correct": 90}, "note", id="good"),
        pytest.param({"correct": 55, "size": 10}, "note", id="a label for each token"),
        pytest.param({"label_counts": [[2] * 50] * 60, "correct": 3}, "note", id="rows are the classes"),
    ],
)
def test_a_classifier_near_chance_that_hardly_uses_its_rows_is_a_warning(answers: dict, severity: str) -> None:
    batch = {"label_counts": [[50, 50]] * 60, "counted": 100, "size": 100} | answers
    found = unused_embedding_rows(window_with(0.9, steps=60, batch=batch, eval_batch={"label_counts": None}))
    assert found.severity == severity


@pytest.mark.parametrize(
    ("size", "loss", "severity"),
    [
        pytest.param(64, 0.9, "warning", id="hardly better than the mean"),
        pytest.param(64, 0.1, "note", id="good"),
        pytest.param(2, 0.9, "note", id="few samples for each row"),
    ],
)
def test_a_regression_that_hardly_uses_its_rows_is_a_warning(size: int, loss: float, severity: str) -> None:
    numbers = {"label_counts": None, "counted": None, "correct": None, "target_mean": 0.0, "target_std": 1.0}
    found = unused_embedding_rows(
        window_with(
            0.9,
            steps=60,
            step={"loss": loss, "batch_size": size},
            batch=numbers,
            eval_batch={"label_counts": None, "counted": None, "correct": None},
            losses=[Loss("mse_loss")],
        )
    )
    assert found.severity == severity


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


def test_finds_places_of_a_sequence_that_all_ask_for_one_row() -> None:
    layers = [Layer("emb", "Embedding", "100, 8", called="model.py:7", rows_asked=1, highest_asked=(0,) * 10)]
    answers = {"label_counts": [[50, 50]] * 60, "correct": 60, "counted": 100}
    rows = {"batch": answers, "eval_batch": {"label_counts": None}}
    found = unused_embedding_rows(
        make_window(layers=layers, parameters=[Parameter("emb.weight", (100, 8), 800)], **rows)
    )
    assert (found.severity, found.where.line) == ("warning", 7)


def test_finds_ids_that_are_cut_off_before_the_table_made_for_them() -> None:
    given = {"dtype": ["int64"] * 60, "max": 119, "shape": [[128]] * 60}
    parameters = [Parameter("users.weight", (120, 8), 960)]
    window = make_window(layers=[Layer("users", "Embedding", last_asked=9)], parameters=parameters, batch=given)
    assert unused_embedding_rows(window).severity == "error"
