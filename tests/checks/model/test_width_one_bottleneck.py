import itertools

import pytest

from stetho.checks.declare import Skip
from stetho.checks.model.width_one_bottleneck import width_one_bottleneck
from stetho.testing import make_window


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
