"""Facts of a run, as a window hands them out."""

from stetho.checks.described import Described, Facts
from stetho.checks.facts import Layer, Model, Parameter

LAYERS = (
    Layer("fc", "Linear", constructed="net.py:3", called="net.py:9"),
    Layer("fc", "Conv2d", model=1, called="net.py:8"),
)
RUN = Described(
    Facts(
        models=(Model(0, "Net"), Model(1, "Teacher", is_trained=False)),
        layers=LAYERS,
        parameters=(Parameter("fc.weight"),),
        lines={"backward": ("train.py:7", "train.py:8"), "step": ()},
    )
)


def test_small_questions() -> None:
    assert RUN.is_trained(0)
    assert not RUN.is_trained(1)
    assert not RUN.is_trained(7)
    assert RUN.has("Conv", "BatchNorm")
    assert not RUN.has("BatchNorm")
    assert RUN.line("backward") == "train.py:7"
    assert RUN.line("step") is None


def test_finds_a_layer_by_name_and_model() -> None:
    assert RUN.layer("fc") is LAYERS[0]
    assert RUN.layer("fc", 1) is LAYERS[1]
    assert RUN.layer("gone") is None


def test_a_place_is_the_line_given_or_that_of_the_subject() -> None:
    assert RUN.at("train.py:7", layer=LAYERS[0]).place == "train.py:7"
    assert str(RUN.at(layer=LAYERS[0])) == "fc, net.py:3"
    assert str(RUN.at(layer=LAYERS[1])) == "fc, net.py:8"
    assert str(RUN.at(parameter=RUN.parameters[0])) == "fc.weight, net.py:3"
    assert str(RUN.at(parameter=Parameter("loose"))) == "loose"
    assert str(RUN.at()) == ""
