"""Which parameters the losses of a run depend on."""

from stetho.checks.evidence.reached import holder_alone_is_reached, is_reached, reached_names
from stetho.checks.run.facts import LossGraph, Parameter
from stetho.testing import make_window


def test_names_are_those_of_all_graphs() -> None:
    graphs = [LossGraph(reached=("fc1.weight",)), LossGraph(reached=("fc2.weight",))]
    assert reached_names(make_window(loss_graphs=graphs)) == {"fc1.weight", "fc2.weight"}


def test_of_parameters_with_one_name_those_count_that_were_met() -> None:
    same = [Parameter("fc1.weight", model=0, reached=True), Parameter("fc1.weight", model=1, reached=False)]
    assert [is_reached(each, {"fc1.weight"}) for each in same] == [True, False]


def test_where_that_is_not_known_the_name_counts() -> None:
    assert [is_reached(Parameter(name), {"fc1.weight"}) for name in ("fc1.weight", "fc2.weight")] == [True, False]


def test_a_loss_may_depend_on_nothing_but_parameters_of_the_module_that_holds_a_layer() -> None:
    names = ("scale", "body.fc.weight", "body.norm.weight", "head.weight")
    window = make_window(parameters=[Parameter(name) for name in names])
    inner = Parameter("body.fc.weight")
    assert holder_alone_is_reached(window, inner, {"scale"})
    for reached in ({"scale", "head.weight"}, {"body.norm.weight"}, {"body.fc.weight"}, set()):
        assert not holder_alone_is_reached(window, inner, reached)
