"""Facts of a run, as a window hands them out."""

from stetho.checks.run.described import Described, Facts
from stetho.checks.run.facts import Layer, Model, Optimizer, Parameter, Scheduler

LAYERS = (
    Layer("fc", "Linear", "in_features=8, out_features=4", constructed="net.py:3", called="net.py:9"),
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


def test_numbers_are_placed_where_they_are_written() -> None:
    given = {"net.py:3": {"out_features=4": "net.py:1"}, "train.py:5": {"lr": "train.py:1"}}
    run = Described(Facts(optimizers=(Optimizer(0, "SGD", "train.py:5"),), given=given))
    assert run.width_line(LAYERS[0]) == "net.py:1"
    assert run.width_line(LAYERS[1]) == "net.py:8"
    assert run.width_line(None) is None
    assert run.rate_line() == "train.py:1"
    assert RUN.rate_line() is None


def test_a_schedule_with_a_rate_of_its_own_is_where_the_rate_is_written() -> None:
    schedule = Scheduler("OneCycleLR", "train.py:6")
    optimizers = (Optimizer(0, "SGD", "train.py:5"),)
    assert Described(Facts(optimizers=optimizers, schedulers=(schedule,))).rate_line() == "train.py:6"
    assert Described(Facts(optimizers=optimizers, schedulers=(Scheduler("StepLR"),))).rate_line() == "train.py:5"


def test_a_layer_is_used_where_the_program_calls_it_and_not_where_it_calls_the_model() -> None:
    top = Layer("", "Net", called="train.py:9")
    own = Layer("fc", "Linear", constructed="net.py:3", called="net.py:7")
    held = Layer("body.0", "Linear", constructed="net.py:4", called="train.py:9")
    run = Described(Facts(layers=(top, own, held)))
    assert (run.use_line(own), run.use_line(held)) == ("net.py:7", "net.py:4")


def test_a_layer_in_a_container_that_a_forward_calls_is_told_by_the_line_that_makes_it() -> None:
    top = Layer("", "Net", called="train.py:9")
    body = Layer("body", "Sequential", constructed="net.py:3", called="net.py:8")
    held = Layer("body.0", "Linear", constructed="net.py:4", called="net.py:8")
    listed = Layer("blocks.0", "Linear", constructed="net.py:5", called="net.py:9")
    run = Described(Facts(layers=(top, body, held, Layer("blocks", "ModuleList"), listed)))
    assert (run.use_line(held), run.use_line(listed)) == ("net.py:4", "net.py:9")


def test_a_parameter_that_the_model_holds_itself_is_told_by_the_line_that_makes_it() -> None:
    run = Described(Facts(layers=(Layer("", "Net", constructed="train.py:3"),)))
    assert run.at(parameter=Parameter("recur", initialised="net.py:5")).place == "net.py:5"
    assert run.at(parameter=Parameter("recur")).place == "train.py:3"
