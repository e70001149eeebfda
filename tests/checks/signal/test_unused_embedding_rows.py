import pytest

from stetho.checks.declare import Skip
from stetho.checks.signal.unused_embedding_rows import unused_embedding_rows
from stetho.checks.window import Window
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
