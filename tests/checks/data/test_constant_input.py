import numpy as np
import pytest

from stetho.checks.data.constant_input import constant_input
from stetho.checks.declare import Skip
from stetho.checks.run.facts import Loader
from stetho.testing import make_window

SAME = {"samples": np.full((60, 32), 7), "output_spread": 0.0}


def test_finds_inputs_of_one_value() -> None:
    finding = constant_input(make_window(batch={"std": 0.0, "mean": 0.0, "output_spread": 0.0}))
    assert (finding.severity, "every value is 0" in finding.title) == ("error", True)


@pytest.mark.parametrize(("layer", "line"), [("EmbeddingBag(100, 8)", 6), ("Linear(100, 8)", 20)])
def test_points_at_the_vocabulary_where_words_all_become_one_number(layer, line):
    loaders = [Loader(0, "list", 400, "RandomSampler", True, 32, line="train.py:20")]
    batch = {"std": 0.0, "mean": 0.0, "output_spread": 0.0, "dtype": "int64", "loader": 0.0}
    window = make_window(layers={"": layer}, batch=batch, loaders=loaders, lines={"looked up": ["words.py:6"]})
    assert constant_input(window).where.line == line


def test_finds_samples_that_are_all_the_same() -> None:
    assert "all samples" in constant_input(make_window(batch=SAME)).title


def test_stays_quiet_on_samples_that_differ() -> None:
    assert constant_input(make_window()) is None
    assert constant_input(make_window(batch={"std": np.where(np.arange(60) < 5, 0.0, 1.0)})) is None


def test_stays_quiet_when_outputs_differ_all_the_same() -> None:
    assert constant_input(make_window(batch=SAME | {"output_spread": 0.5})) is None


def test_skips_small_batches_and_inputs_that_were_not_measured() -> None:
    for batch in ({"size": 1}, {"std": np.nan}):
        with pytest.raises(Skip):
            constant_input(make_window(batch=batch))


def with_one_row_used(spread):
    state = {("emb.weight", "state.exp_avg_sq.zeros"): 792, ("emb.weight", "state.exp_avg_sq.count"): 800}
    layers = {"emb": "Embedding(100, 8)", "fc": "Linear(8, 2)"}
    return make_window(layers=layers, stats=state, batch={"output_spread": spread, "output_std": 1.0})


def test_finds_indices_that_are_made_equal_inside_of_the_model():
    assert "a single one of its 100 rows" in constant_input(with_one_row_used(spread=1e-8)).title


def test_stays_quiet_on_one_row_when_something_else_tells_samples_apart():
    assert constant_input(with_one_row_used(spread=0.5)) is None


def test_answers_that_differ_by_rounding_are_the_same():
    for spread, is_found in ((1.5e-8, True), (1e-4, False)):
        rounded = SAME | {"output_spread": spread, "output_std": spread}
        assert (constant_input(make_window(batch=rounded)) is not None) is is_found
