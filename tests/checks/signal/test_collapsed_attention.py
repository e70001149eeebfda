import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.run.facts import Between, Layer
from stetho.checks.signal.collapsed_attention import collapsed_attention
from stetho.checks.window import Window
from stetho.testing import make_window

LAYERS = [
    Layer("scores", "Linear"),
    Layer("softmax", "Softmax", "dim=-1", output="float32[4, 16, 16]"),
    Layer("out", "Linear"),
]


def window_with(rms: float) -> Window:
    return make_window(layers=LAYERS, stats={("softmax", "act.mean"): 1 / 16, ("softmax", "act.rms"): rms})


def test_finds_attention_on_one_place() -> None:
    assert collapsed_attention(window_with(0.25)).where.layer == "softmax"


def test_stays_quiet_on_attention_that_is_spread() -> None:
    assert collapsed_attention(window_with(1 / 16)) is None


def test_skips_models_without_attention() -> None:
    with pytest.raises(Skip):
        collapsed_attention(make_window())
    with pytest.raises(Skip):
        collapsed_attention(window_with(np.nan))


def test_warns_of_a_softmax_that_is_sharp_in_the_first_pass() -> None:
    sharp = Between("Softmax", (4, 12, 12), dim=2, places=1.2)
    finding = collapsed_attention(make_window(layers=[Layer("fc", "Linear"), Layer("out", "Linear", between=(sharp,))]))
    assert (finding.severity, finding.where.layer) == ("warning", "out")


def test_stays_quiet_on_a_softmax_that_begins_evenly() -> None:
    even = Between("Softmax", (4, 12, 12), dim=2, places=11.5)
    assert collapsed_attention(make_window(layers=[Layer("out", "Linear", between=(even,))])) is None


def test_a_mask_that_hides_what_is_there_is_an_error() -> None:
    blind = Between("Softmax", (4, 12, 12), dim=2, places=1.0, on_real=0.0, on_padding=1.0)
    finding = collapsed_attention(make_window(layers=[Layer("out", "Linear", between=(blind,))]))
    assert finding.severity == "error"


def test_points_at_the_softmax_before_the_layer() -> None:
    sharp = Between("Softmax", (4, 12, 12), dim=2, places=1.2)
    out = Layer("out", "Linear", called="net.py:9", between=(sharp,))
    window = make_window(layers=[Layer("fc", "Linear"), out], given={"net.py:9": {"softmax": "net.py:7"}})
    assert collapsed_attention(window).where.line == 7
