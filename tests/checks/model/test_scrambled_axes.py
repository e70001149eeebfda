import pytest

from stetho.checks.declare import Skip
from stetho.checks.model.scrambled_axes import scrambled_axes
from stetho.checks.run.facts import Between, Edge, Layer, LossGraph, Op
from stetho.checks.window import Window
from stetho.testing import make_window


def window_with(before: str, after: str, *ops: str, width: int = 8) -> Window:
    layers = [
        Layer("one", "Linear", output=f"float32{before}"),
        Layer("two", "Linear", f"in_features={width}, out_features=5, bias=True", output=f"float32{after}"),
    ]
    return make_window(layers=layers, edges=[Edge("one", "two", ops)])


def test_finds_batch_and_sequence_exchanged_by_a_view() -> None:
    finding = scrambled_axes(window_with("[32, 10, 8]", "[10, 32, 5]", "View"))
    assert (finding.severity, finding.where.layer) == ("error", "two")


def test_finds_channels_and_places_exchanged_by_a_view() -> None:
    assert scrambled_axes(window_with("[32, 8, 4, 4]", "[32, 16, 5]", "Relu", "View")) is not None


def test_finds_an_input_whose_batch_has_moved() -> None:
    layers = [Layer("one", "Linear", "in_features=4, out_features=5, bias=True", output="float32[2, 32, 5]")]
    window = make_window(layers=layers, edges=[Edge("(input)", "one", ("View",))], batch={"shape": [32, 8]})
    assert scrambled_axes(window) is not None


def test_stays_quiet_on_axes_that_are_joined() -> None:
    assert scrambled_axes(window_with("[32, 10, 8]", "[320, 5]", "View")) is None
    assert scrambled_axes(window_with("[32, 10, 8]", "[32, 5]", "View", width=80)) is None


def test_stays_quiet_where_axes_are_turned() -> None:
    assert scrambled_axes(window_with("[32, 10, 8]", "[10, 32, 5]", "Transpose", "View")) is None


def seen_by_the_loss(shape: tuple[int, ...], output: tuple[int, ...], op: str = "View") -> Window:
    ops = (
        Op("NllLoss", (), feeds=None),
        Op("LogSoftmax", shape, 1, feeds=0),
        Op(op, shape, feeds=1, reads_output=True),
    )
    return make_window(loss_graphs=[LossGraph("train.py:32", ops, (Op("Convolution", output),), output)])


def test_finds_pixels_that_pass_for_channels_in_the_loss() -> None:
    finding = scrambled_axes(seen_by_the_loss((9216, 3), (16, 3, 24, 24)))
    assert "[9216, 3] as a view of the output [16, 3, 24, 24]" in finding.title


def test_stays_quiet_on_rows_of_classes_in_the_loss() -> None:
    assert scrambled_axes(seen_by_the_loss((9216, 3), (16, 24, 24, 3))) is None
    assert scrambled_axes(seen_by_the_loss((9216, 3), (16, 3, 24, 24), "Permute")) is None


def test_skips_runs_in_which_no_shapes_are_known() -> None:
    with pytest.raises(Skip):
        scrambled_axes(make_window(layers=[], edges=[], loss_graphs=[]))


def test_stays_quiet_on_models_without_views() -> None:
    assert scrambled_axes(make_window()) is None


def test_finds_a_view_across_axes_inside_of_a_model() -> None:
    view = Between("View", (64, 4, 9, 8), before=(64, 9, 32))
    finding = scrambled_axes(make_window(layers=[Layer("out", "Linear", between=(view,))]))
    assert (finding.severity, finding.where.layer) == ("error", "out")


def test_stays_quiet_on_relative_positions_that_are_shifted_by_a_view() -> None:
    view = Between("View", (4, 10, 9), before=(4, 9, 10))
    assert scrambled_axes(make_window(layers=[Layer("out", "Linear", between=(view,))])) is None
