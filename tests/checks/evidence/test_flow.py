"""Layers in the order of the data flow."""

from stetho.checks.evidence.flow import in_forward_order
from stetho.checks.run.facts import Edge, Layer, Model

NET = Model(0, "Net")


def names(layers: list[Layer], *edges: tuple[str, str], models: list[Model] | None = None) -> list[str]:
    ordered = in_forward_order(models or [NET], layers, [Edge(*edge) for edge in edges])
    return [layer.name for layer in ordered]


def layers(*wanted: str) -> list[Layer]:
    return [Layer(name, "Linear") for name in wanted]


def test_without_edges_the_order_of_registration_holds() -> None:
    assert names(layers("b", "a")) == ["b", "a"]


def test_edges_decide() -> None:
    assert names(layers("c", "b", "a"), ("a", "b"), ("b", "c")) == ["a", "b", "c"]


def test_a_circle_is_broken_by_the_one_registered_first() -> None:
    assert names(layers("cell", "out"), ("cell", "cell"), ("cell", "out"), ("out", "cell")) == ["cell", "out"]


def test_layers_that_hold_others_or_were_not_called_are_left_out() -> None:
    found = [Layer("", "Net"), Layer("block", "Block"), Layer("block.fc", "Linear"), Layer("spare", "Linear", calls=0)]
    assert names(found) == ["block.fc"]


def test_a_model_of_one_layer_is_that_layer() -> None:
    assert names([Layer("", "Linear")]) == [""]


def test_models_that_are_not_trained_are_left_out() -> None:
    found = [Layer("fc", "Linear", model=0), Layer("fc", "Linear", model=1)]
    ordered = in_forward_order([Model(0, "Teacher", is_trained=False), Model(1, "Student")], found, [])
    assert [layer.model for layer in ordered] == [1]


def test_edges_of_another_model_do_not_count() -> None:
    found = [*layers("b", "a"), Layer("a", "Linear", model=1), Layer("b", "Linear", model=1)]
    ordered = in_forward_order([NET, Model(1, "Other")], found, [Edge("a", "b", (), 0)])
    assert [(layer.model, layer.name) for layer in ordered] == [(0, "a"), (0, "b"), (1, "a"), (1, "b")]
