from dataclasses import replace

import pytest

from stetho.checks.evidence.outcome import error_left
from stetho.checks.mechanisms.codes import is_too_narrow, neighbours
from stetho.checks.run.facts import Edge, Layer, Loss, Parameter
from stetho.checks.window import Window
from stetho.testing import make_window

MSE = Loss("mse_loss", "train.py:9", "train", "float32[16, 8]", "float32[16, 8]", "mean")
ENCODER = [("down", (32, 8)), ("code", (2, 32))]
DECODER = [("up", (32, 2)), ("back", (8, 32))]
Shapes = list[tuple[str, tuple[int, ...]]]


def pairs(window: Window) -> list[tuple[str, str]]:
    return [(source.layer, taken.layer) for source, taken in neighbours(window)]


def two_models(encoder: Shapes, decoder: Shapes, given: tuple[Edge, ...] = (), players: bool = False) -> Window:
    """An encoder and a decoder that are modules of their own; the first gets what comes from outside."""
    layers = [Layer(name, "Linear", model=n) for n, own in enumerate((encoder, decoder)) for name, _ in own]
    parameters = [
        Parameter(f"{name}.weight", shape, model=n, optimizer=0, group=0)
        for n, own in enumerate((encoder, decoder))
        for name, shape in own
    ]
    inner = [Edge(own[0][0], own[1][0], model=n) for n, own in enumerate((encoder, decoder)) if len(own) > 1]
    inner.append(Edge("(input)", encoder[0][0]))
    turns = {"optimizer": [n % 2 if players else 0 for n in range(60)]}
    return make_window(layers=layers, parameters=parameters, edges=[*inner, *given], step=turns)


def test_layers_of_one_model_are_neighbours_across_what_has_no_weights() -> None:
    assert pairs(make_window()) == [("fc1", "fc2")]


def test_the_end_of_an_encoder_feeds_the_begin_of_its_decoder() -> None:
    within = [("down", "code"), ("up", "back")]
    assert pairs(two_models(ENCODER, DECODER)) == [*within, ("code", "up")]


@pytest.mark.parametrize("outside", ["(input)", "(detached)"])
def test_a_decoder_that_is_fed_from_outside_has_no_encoder(outside: str) -> None:
    window = two_models(ENCODER, DECODER, given=(Edge(outside, "up", model=1),))
    assert ("code", "up") not in pairs(window)


@pytest.mark.parametrize(
    ("encoder", "decoder"),
    [
        pytest.param(ENCODER, [("up", (32, 3)), ("back", (8, 32))], id="the widths do not meet"),
        pytest.param(ENCODER, [("up", (32, 2)), ("back", (5, 32))], id="something else than the input comes out"),
        pytest.param(ENCODER[1:], [("up", (64, 2)), ("back", (32, 64))], id="a single layer is no encoder"),
        pytest.param([("down", (32,)), ("code", (2, 32))], DECODER, id="a weight of one axis"),
    ],
)
def test_two_models_that_give_back_no_input_are_not_joined(encoder: Shapes, decoder: Shapes) -> None:
    assert ("code", "up") not in pairs(two_models(encoder, decoder))


def test_adversaries_are_not_joined() -> None:
    assert ("code", "up") not in pairs(two_models(ENCODER, DECODER, players=True))


CODE = Parameter("code.weight", (1, 32), 32)


def trained(end: float, steps: int = 300, fall: float = 100) -> Window:
    """A loss that falls from 1 to its end, of targets of spread 1."""
    numbers = {"target_std": 1.0, "label_counts": None}
    curve = [max(1.0 - step / fall, end) for step in range(steps)]
    return make_window(
        steps=steps, step={"loss": curve}, losses=[MSE], batch=numbers, eval_batch=numbers | {"loss": end}
    )


def test_a_code_is_too_narrow_where_the_loss_stands_with_much_error_left() -> None:
    assert is_too_narrow(trained(0.4), CODE)


@pytest.mark.parametrize(
    "window",
    [
        pytest.param(trained(0.05), id="little is left"),
        pytest.param(trained(1.2), id="nothing was learnt"),
        pytest.param(trained(0.4, steps=140), id="a short run"),
        pytest.param(trained(0.4, fall=480), id="the loss still falls"),
    ],
)
def test_a_code_is_wide_enough_for_all_that_is_known(window: Window) -> None:
    assert not is_too_narrow(window, CODE)


def test_maps_of_a_single_channel_hold_more_than_one_number() -> None:
    assert not is_too_narrow(trained(0.4), replace(CODE, shape=(1, 32, 3, 3)))


def test_classes_that_are_not_told_apart_say_nothing_of_a_code() -> None:
    answers = {"label_counts": [[50, 50]] * 300, "correct": 75, "counted": 100}
    curve = [max(1.0 - step / 100, 0.4) for step in range(300)]
    window = make_window(steps=300, step={"loss": curve}, batch=answers, eval_batch={"label_counts": None})
    assert error_left(window) == 0.5
    assert not is_too_narrow(window, CODE)
