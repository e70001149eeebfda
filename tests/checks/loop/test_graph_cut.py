import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.graph_cut import graph_cut
from stetho.checks.run.facts import Edge, Layer, LossGraph, Parameter
from stetho.testing import make_window

CUT = [Edge("fc1", "relu"), Edge("(detached)", "fc2")]
HEAD = [LossGraph(reached=("fc2.bias", "fc2.weight"))]


def without_gradients(window, *names):
    """A window in which these parameters never had a gradient: no series of them, instead of an empty one."""
    window.series = frozenset(key for key in window.series if not (key[1] in names and key[2] == "grad"))
    return window


def cut(edges=CUT, graphs=HEAD):
    return without_gradients(make_window(edges=edges, loss_graphs=graphs), "fc1.weight", "fc1.bias")


def test_finds_layers_before_a_tensor_without_history():
    found = graph_cut(cut())
    assert (found.severity, found.where.layer) == ("error", "fc1")
    assert found.evidence["cut_share"] == pytest.approx(288 / 420)


def test_stays_quiet_when_all_is_connected():
    assert graph_cut(make_window()) is None


def test_stays_quiet_when_the_output_of_a_layer_is_simply_not_used():
    assert graph_cut(cut(edges=[Edge("fc1", "relu"), Edge("(input)", "fc2")])) is None


def test_stays_quiet_on_layers_behind_the_last_that_is_reached():
    head_only = without_gradients(
        make_window(edges=CUT, loss_graphs=[LossGraph(reached=("fc1.weight", "fc1.bias"))]), "fc2.weight", "fc2.bias"
    )
    assert graph_cut(head_only) is None


def test_stays_quiet_on_parameters_that_another_loss_moves():
    assert graph_cut(make_window(edges=CUT, loss_graphs=HEAD)) is None


def test_is_skipped_without_the_graph_of_a_loss():
    with pytest.raises(Skip, match="the graph of no loss was recorded"):
        graph_cut(make_window(loss_graphs=[]))


NAMES = ("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias")


def test_finds_a_loss_that_depends_on_nothing():
    found = graph_cut(without_gradients(make_window(loss_graphs=[], step={"grad_norm": None}), *NAMES))
    assert (found.severity, found.evidence["cut_share"]) == ("error", 1.0)


def test_points_at_the_leaf_that_was_made_of_values():
    window = make_window(loss_graphs=[], step={"grad_norm": None}, lines={"rewrapped": ("train.py:9",)})
    assert graph_cut(without_gradients(window, *NAMES)).where.line == 9


def test_is_skipped_when_gradients_come_though_no_graph_was_seen():
    with pytest.raises(Skip):
        graph_cut(make_window(loss_graphs=[]))


def test_finds_derivatives_that_come_into_the_loss_as_constants():
    found = graph_cut(make_window(lines={"derivative without graph": ["train.py:40"]}))
    assert (found.where.line, found.severity) == (40, "error")
    assert "create_graph=True" in found.try_next


def two_models(*cut_off):
    """An encoder and a decoder whose parameters have the same names."""
    layers = [Layer("fc", "Linear", model=0, calls=60), Layer("fc", "Linear", model=1, calls=60)]
    parameters = [Parameter("fc.weight", (8, 4), 32, model=each, reached=each not in cut_off) for each in (0, 1)]
    graphs = [LossGraph(reached=("fc.weight",))]
    lines = {"unused forward": ["train.py:12"], "backward": ["train.py:14"]}
    window = make_window(layers=layers, parameters=parameters, edges=[], loss_graphs=graphs, lines=lines)
    window.series = frozenset(key for key in window.series if not (key[0] in cut_off and key[2] == "grad"))
    return window


def test_finds_a_whole_model_that_is_cut_off_from_the_next_one_with_the_same_names():
    found = graph_cut(two_models(0))
    assert (found.where.line, found.evidence["cut_share"]) == (12, 0.5)


def test_stays_quiet_when_both_models_get_gradients():
    assert graph_cut(two_models()) is None


def test_points_at_the_line_that_cuts():
    layers = [Layer("fc1", "Linear", called="net.py:7", cut="net.py:8"), Layer("relu", "ReLU"), Layer("fc2", "Linear")]
    parameters = [Parameter(f"{name}.weight", (4, 4), 16) for name in ("fc1", "fc2")]
    window = make_window(layers=layers, parameters=parameters, edges=CUT, loss_graphs=HEAD)
    assert graph_cut(without_gradients(window, "fc1.weight")).where.line == 8


@pytest.mark.parametrize(("reached", "is_found"), [(("scale",), True), (("scale", "fc2.weight", "fc2.bias"), False)])
def test_finds_layers_of_a_module_whose_own_parameters_alone_get_a_gradient(reached, is_found):
    """Learnt prototypes, say, which are compared with what a body gives outside of any layer."""
    own = [Parameter("scale", (4,), 4), *make_window().parameters]
    window = make_window(parameters=own, loss_graphs=[LossGraph(reached=reached)], edges=[Edge("fc1", "relu")])
    found = graph_cut(without_gradients(window, *(name for name in NAMES if name not in reached)))
    assert (found is not None) is is_found
