import pytest

from stetho.checks.mechanisms.masked import hides_rows, sees_padding_alone
from stetho.checks.run.facts import Between, Edge, Layer, Parameter
from stetho.checks.window import Window
from stetho.testing import make_window


def masked(asked: int | None, unused: float) -> Window:
    layers = [Layer("words", "Embedding", rows_asked=asked), Layer("block", "SelfAttention"), Layer("out", "Linear")]
    words = Parameter("words.weight", (40, 8), 320, optimizer=0, group=0)
    zeros = {("words.weight", "state.exp_avg_sq.zeros"): 320 * unused}
    stats = zeros | {("words.weight", "state.exp_avg_sq.count"): 320}
    return make_window(layers=layers, parameters=[words], stats=stats)


def test_finds_rows_that_are_asked_for_and_never_reached() -> None:
    finding = hides_rows(masked(38, 0.975))
    assert finding.severity == "error"
    assert "ask for 38 of 40 rows of words.weight, and 1 of them" in finding.title


@pytest.mark.parametrize(("asked", "unused"), [(38, 0.05), (4, 0.9), (38, 1.0), (None, 0.975)])
def test_stays_quiet_on_rows_that_are_reached_or_not_asked_for(asked: int | None, unused: float) -> None:
    assert hides_rows(masked(asked, unused)) is None


@pytest.mark.parametrize(("behind", "is_found"), [(0.1, True), (0.0, False)])
def test_rows_that_get_nothing_are_masked_only_if_the_next_layer_gets_a_gradient(behind: float, is_found: bool) -> None:
    window = masked(38, 1.0)
    mix = Parameter("block.bias", (8,), 8, optimizer=0, group=0)
    stats = {("words.weight", "state.exp_avg_sq.zeros"): 320, ("words.weight", "state.exp_avg_sq.count"): 320}
    window = make_window(
        layers=window.layers,
        parameters=[*window.parameters, mix],
        edges=[Edge("words", "block"), Edge("block", "out")],
        stats=stats | {("block.bias", "grad.absmax"): behind},
    )
    if is_found:
        assert "0 of them" in hides_rows(window).title
    else:
        assert hides_rows(window) is None


def test_finds_attention_that_sees_padding_alone() -> None:
    blind = Between("Softmax", (4, 12, 12), dim=2, places=6.0, on_real=0.0, on_padding=1.0)
    layers = [Layer("fc", "Linear"), Layer("out", "Linear", between=(blind,), called="net.py:9", mask="net.py:7")]
    finding = sees_padding_alone(make_window(layers=layers))
    assert (finding.severity, finding.where.line) == ("error", 7)


def test_stays_quiet_on_attention_that_sees_padding_too() -> None:
    both = Between("Softmax", (4, 12, 12), dim=2, places=11.5, on_real=0.4, on_padding=0.6)
    assert sees_padding_alone(make_window(layers=[Layer("out", "Linear", between=(both,))])) is None


def test_stays_quiet_where_nothing_is_known_of_padding() -> None:
    assert sees_padding_alone(make_window()) is None
