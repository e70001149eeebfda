"""Facts about losses out of model.json."""

from stetho.checks.run.loss_file import loss_graph_of, loss_of


def test_what_is_not_known_by_name_is_a_setting() -> None:
    loss = loss_of({"call": "huber_loss", "delta": 2.0, "target_high": 3, "weight": [1, 0]})
    assert (loss.call, loss.settings, loss.target_high, loss.weight) == ("huber_loss", {"delta": 2.0}, 3.0, (1.0, 0.0))


def test_a_graph_of_something_else_is_empty() -> None:
    graph = loss_graph_of({"ops": "none", "shape": [1, "x"], "reward": 3})
    assert (graph.ops, graph.shape, graph.reward, graph.nodes) == ((), (), {}, 0)
