"""Which parameters the losses of a run depend on."""

from stetho.checks.facts import LossGraph, Parameter
from stetho.checks.reached import is_reached, reached_names
from stetho.testing import make_window

SAME = [Parameter("fc1.weight", (16, 16), 256, model=0), Parameter("fc1.weight", (16, 16), 256, model=1)]


def test_names_are_those_of_all_graphs() -> None:
    graphs = [LossGraph(reached=("fc1.weight",)), LossGraph(reached=("fc2.weight",))]
    assert reached_names(make_window(loss_graphs=graphs)) == {"fc1.weight", "fc2.weight"}


def test_a_parameter_that_only_shares_its_name_with_one_that_gets_gradients_is_not_reached() -> None:
    window = make_window(parameters=SAME, loss_graphs=[LossGraph(reached=("fc1.weight",))])
    window.series = frozenset(key for key in window.series if not (key[0] == 1 and key[2] == "grad"))
    assert [is_reached(window, each, {"fc1.weight"}) for each in SAME] == [True, False]


def test_a_parameter_of_one_model_alone_is_reached_by_its_name() -> None:
    window = make_window(parameters=SAME[:1])
    window.series = frozenset()
    assert is_reached(window, SAME[0], {"fc1.weight"})


def test_a_copy_that_is_never_called_in_training_is_not_reached() -> None:
    shadow = Parameter("fc1.weight", (16, 16), 256, model=1, optimizer=None)
    window = make_window(parameters=[SAME[0], shadow])
    assert not is_reached(window, shadow, {"fc1.weight"})
