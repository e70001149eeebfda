import numpy as np
import pytest

from stetho.checks.data.input_not_scaled import input_not_scaled
from stetho.checks.declare import Skip
from stetho.testing import make_window


def raw(mean: float, std: float) -> dict[str, object]:
    features = {"feature_mean": [mean] * 8, "feature_std": [std] * 8}
    return {"mean": mean, "std": std, "min": mean - 2 * std, "max": mean + 2 * std, **features}


LARGE = {("fc1", "act.rms"): 90.0}


def test_finds_raw_values() -> None:
    finding = input_not_scaled(make_window(batch=raw(120, 70), stats=LARGE))
    assert (finding.severity, finding.where.line) == ("warning", 28)


def test_finds_values_that_were_scaled_twice_and_values_far_from_zero() -> None:
    assert input_not_scaled(make_window(batch=raw(5e-4, 1e-3))).severity == "warning"
    assert input_not_scaled(make_window(batch=raw(15, 0.1), stats=LARGE)).severity == "warning"


def test_is_a_note_in_between() -> None:
    assert input_not_scaled(make_window(batch=raw(8, 6), stats=LARGE)).severity == "note"


def test_stays_quiet_on_usual_inputs_and_on_a_single_large_column() -> None:
    assert input_not_scaled(make_window()) is None
    column = {"mean": 60.0, "std": 160.0, "feature_mean": [480.0] + [0.0] * 7, "feature_std": [100.0] + [1.0] * 7}
    assert input_not_scaled(make_window(batch=column, stats=LARGE)) is None


def test_stays_quiet_behind_a_normalisation_and_when_the_model_scales_itself() -> None:
    layers = {"norm": "BatchNorm1d(8)", "fc": "Linear(8, 4)"}
    assert input_not_scaled(make_window(layers=layers, batch=raw(120, 70))) is None
    assert input_not_scaled(make_window(batch=raw(120, 70), stats={("fc1", "act.rms"): 0.4})) is None


def test_skips_token_ids_and_inputs_that_were_not_measured() -> None:
    for batch in ({"dtype": "int64"}, {"std": np.nan}):
        with pytest.raises(Skip):
            input_not_scaled(make_window(batch=batch))
