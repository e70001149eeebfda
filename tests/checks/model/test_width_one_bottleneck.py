import itertools

import pytest

from stetho.checks.declare import Skip
from stetho.checks.model.width_one_bottleneck import width_one_bottleneck
from stetho.checks.run.facts import Loss
from stetho.checks.window import Window
from stetho.testing import make_window

MSE = Loss("mse_loss", "train.py:9", "train", "float32[16, 8]", "float32[16, 8]", "mean")


def layers(*widths: int) -> dict[str, str]:
    found = {}
    for place, (one, other) in enumerate(itertools.pairwise(widths)):
        found |= {f"fc{place}": f"Linear(in_features={one}, out_features={other}, bias=True)", f"relu{place}": "ReLU()"}
    return found


def test_finds_a_single_number_in_the_middle() -> None:
    finding = width_one_bottleneck(make_window(layers=layers(8, 32, 1, 32, 4)))
    assert (finding.severity, finding.where.layer) == ("warning", "fc1")


def test_a_code_of_one_number_is_a_note() -> None:
    assert width_one_bottleneck(make_window(layers=layers(8, 32, 1, 32, 8))).severity == "note"


def coded(loss: float) -> Window:
    """Three hundred steps of a model that gives back its input, with this loss at the end and targets of spread 1."""
    curve = [max(1.0 - step / 100, loss) for step in range(300)]
    numbers = {"target_std": 1.0, "label_counts": None}
    return make_window(
        steps=300,
        layers=layers(8, 32, 1, 32, 8),
        step={"loss": curve},
        losses=[MSE],
        batch=numbers,
        eval_batch=numbers | {"loss": loss},
    )


def test_a_code_of_one_number_where_the_loss_stands_high_is_a_warning() -> None:
    finding = width_one_bottleneck(coded(0.4))
    assert finding.severity == "warning"
    assert "40% of the error" in finding.title
    assert width_one_bottleneck(coded(0.05)).severity == "note"


def test_stays_quiet_on_one_output_and_one_input() -> None:
    assert width_one_bottleneck(make_window(layers=layers(8, 32, 16, 1))) is None
    assert width_one_bottleneck(make_window(layers=layers(1, 32, 16, 4))) is None


def test_skips_shallow_models() -> None:
    with pytest.raises(Skip):
        width_one_bottleneck(make_window())


def test_finds_it_behind_several_layers_that_keep_channels_to_themselves() -> None:
    wide, narrow = layers(8, 32, 1), {"up": "Linear(in_features=1, out_features=32, bias=True)"}
    window = make_window(layers=wide | {"norm": "BatchNorm1d(1)", "flat": "Flatten()"} | narrow)
    assert width_one_bottleneck(window).where.layer == "fc1"
