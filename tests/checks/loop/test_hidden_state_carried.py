import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.hidden_state_carried import hidden_state_carried
from stetho.checks.run.facts import Layer, Loader
from stetho.testing import make_window


def nodes(*sizes):
    """Sizes of the graph, looked at in every tenth step."""
    column = [None] * 60
    column[: 10 * len(sizes) : 10] = sizes
    return make_window(step={"graph_nodes": column})


def test_finds_a_graph_that_grows_with_every_step():
    found = hidden_state_carried(nodes(100, 1100, 2100, 3100, 4100))
    assert (found.severity, found.steps.first, found.steps.last) == ("error", 1, 41)
    assert "from 100 operations at step 1 to 4100 at step 41" in found.title


def test_stays_quiet_on_a_graph_that_stays_as_it_is():
    assert hidden_state_carried(make_window()) is None


def test_stays_quiet_on_sequences_of_different_lengths():
    assert hidden_state_carried(nodes(100, 900, 300, 700, 1200)) is None


def test_stays_quiet_on_little_growth():
    assert hidden_state_carried(nodes(100, 110, 120, 130, 140)) is None


def test_is_skipped_after_few_looks():
    with pytest.raises(Skip, match="fewer than 4 steps"):
        hidden_state_carried(nodes(100, 1100, 2100))


def recurrent(carried, *, is_shuffled=True, **given):
    layers = [Layer("", "Model", called="train.py:20"), Layer("rnn", "LSTM", begun=20, carried=carried)]
    return make_window(layers=layers, loaders=[Loader(0, shuffled=is_shuffled)], batch={"loader": 0}, **given)


def test_finds_a_state_that_goes_into_shuffled_batches():
    found = hidden_state_carried(recurrent(19))
    assert (found.severity, found.where.line, found.where.layer) == ("error", 20, "rnn")


def test_stays_quiet_on_batches_in_their_order_and_on_fresh_states():
    assert hidden_state_carried(recurrent(19, is_shuffled=False)) is None
    assert hidden_state_carried(recurrent(0)) is None


def test_points_at_the_line_that_takes_the_old_state():
    found = hidden_state_carried(recurrent(19, given={"train.py:20": {"carried": "train.py:12"}}))
    assert found.where.line == 12
