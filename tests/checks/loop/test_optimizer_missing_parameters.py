import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.optimizer_missing_parameters import optimizer_missing_parameters
from stetho.checks.run.facts import LossGraph, Optimizer, Parameter
from stetho.testing import make_window


def held(**by_optimizer):
    """Parameters with the model that has them and the optimizer that holds them, if any; the loss depends on all."""
    parameters = [
        Parameter(f"{name}.weight", (8, 8), 64, model, optimizer=optimizer, group=optimizer)
        for name, (model, optimizer) in by_optimizer.items()
    ]
    return make_window(parameters=parameters, loss_graphs=[LossGraph(reached=tuple(p.name for p in parameters))])


def test_finds_parameters_that_get_a_gradient_and_are_in_no_group():
    found = optimizer_missing_parameters(held(fc1=(0, None), relu=(0, None), fc2=(0, 0)))
    assert (found.severity, found.where.parameter, found.where.line) == ("error", "fc1.weight", 26)
    assert found.evidence["missing_share"] == pytest.approx(2 / 3)
    assert "and 1 more" in found.title


def test_finds_an_optimizer_that_holds_none_of_the_model():
    assert optimizer_missing_parameters(held(fc1=(0, None), fc2=(0, None))).confidence > 0.95


def test_stays_quiet_when_two_optimizers_hold_all():
    assert optimizer_missing_parameters(held(fc1=(0, 0), fc2=(0, 1))) is None


def test_stays_quiet_on_a_whole_network_inside_the_loss():
    assert optimizer_missing_parameters(held(fc1=(0, 0), fc2=(1, None))) is None


def test_stays_quiet_on_parameters_that_the_program_updates_by_itself():
    by_hand = Parameter("fc1.weight", (8, 8), 64, optimizer=None)
    facts = {"parameters": [by_hand], "loss_graphs": [LossGraph(reached=("fc1.weight",))]}
    assert optimizer_missing_parameters(make_window(**facts, stats={("fc1.weight", "update.rms"): 0.0})) is not None
    assert optimizer_missing_parameters(make_window(**facts, stats={("fc1.weight", "update.rms"): 1e-3})) is None


def test_stays_quiet_on_frozen_parameters():
    frozen = Parameter("fc1.weight", (8, 8), 64, trainable=False, optimizer=None)
    graph = LossGraph(reached=("fc1.weight", "fc2.weight"))
    window = make_window(parameters=[frozen, Parameter("fc2.weight", (8, 8), 64)], loss_graphs=[graph])
    assert optimizer_missing_parameters(window) is None


def test_is_skipped_without_an_optimizer_or_a_graph():
    with pytest.raises(Skip, match="the program has no optimizer"):
        optimizer_missing_parameters(make_window(optimizers=[]))
    with pytest.raises(Skip, match="the graph of no loss was recorded"):
        optimizer_missing_parameters(make_window(loss_graphs=[]))


def with_a_namesake(*, gradient):
    parameters = [
        Parameter("fc1.weight", (8, 8), 64, 1, optimizer=None, reached=not gradient),
        Parameter("fc1.weight", (8, 8), 64, 0, optimizer=0, group=0, reached=gradient),
    ]
    return make_window(parameters=parameters, loss_graphs=[LossGraph(reached=("fc1.weight",))])


def test_finds_a_model_whose_namesake_is_held_instead():
    assert optimizer_missing_parameters(with_a_namesake(gradient=False)) is not None


def test_stays_quiet_when_the_namesake_gets_the_gradients():
    assert optimizer_missing_parameters(with_a_namesake(gradient=True)) is None


def test_names_the_layer_that_was_made_after_the_optimizer():
    given = {"train.py:26": {"after fc1": "train.py:29"}}
    parameters = [Parameter("fc1.weight", (8, 8), 64, optimizer=None), Parameter("fc2.weight", (8, 8), 64)]
    graph = LossGraph(reached=("fc1.weight", "fc2.weight"))
    found = optimizer_missing_parameters(make_window(parameters=parameters, loss_graphs=[graph], given=given))
    assert found.where.line == 29


def replaced(updates, width=8):
    """A head that was trained, and the one in its place, which nobody holds; both have the same name."""
    old = Parameter("head.weight", (8, 8), 64, optimizer=0)
    new = Parameter("head.weight", (width, 8), 8 * width, optimizer=None)
    stats = {("head.weight", "update.rms"): updates}
    graph = LossGraph(reached=("head.weight",))
    return make_window(steps=60, parameters=[old, new], loss_graphs=[graph], stats=stats)


def test_finds_a_layer_that_took_the_place_and_the_name_of_a_trained_one():
    assert optimizer_missing_parameters(replaced([1e-3] * 30 + [0.0] * 30)) is not None


def test_finds_a_layer_of_another_width_where_old_gradients_still_move_the_one_before():
    assert optimizer_missing_parameters(replaced([1e-3] * 60, width=4)) is not None


def test_stays_quiet_on_what_moves_and_stands_in_for_a_parameter():
    assert optimizer_missing_parameters(replaced([1e-3] * 60)) is None


def in_turns(holder_of_the_first):
    """Two models; two optimizers take turns, the second of them holds the second model's parameters or nobody does."""
    parameters = [
        Parameter("disc.weight", (8, 8), 64, 0, optimizer=holder_of_the_first),
        Parameter("gen.weight", (8, 8), 64, 1, optimizer=None),
    ]
    optimizers = [Optimizer(0, "Adam", "train.py:20"), Optimizer(1, "Adam", "train.py:21")]
    turns = [float(step % 2) for step in range(60)]
    graph = LossGraph(reached=("disc.weight", "gen.weight"))
    return make_window(parameters=parameters, optimizers=optimizers, loss_graphs=[graph], step={"optimizer": turns})


def test_finds_a_model_that_is_left_over_where_two_optimizers_in_turns_hold_the_same():
    found = optimizer_missing_parameters(in_turns(1))
    assert (found.where.parameter, found.where.line) == ("gen.weight", 21)


def test_stays_quiet_on_a_network_left_over_where_optimizers_do_not_take_turns():
    assert optimizer_missing_parameters(held(disc=(0, 1), gen=(1, None))) is None
