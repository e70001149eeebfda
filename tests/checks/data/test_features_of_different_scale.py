import pytest

from stetho.checks.data.features_of_different_scale import features_of_different_scale
from stetho.checks.declare import Skip
from stetho.testing import make_window

LARGE = {("fc1", "act.rms"): 200.0}


def columns(*deviations: float) -> dict[str, object]:
    return {"feature_mean": [0.0] * len(deviations), "feature_std": list(deviations)}


def test_finds_a_column_that_is_far_larger() -> None:
    finding = features_of_different_scale(make_window(batch=columns(1, 1, 900, 1, 1), stats=LARGE))
    assert "feature 2" in finding.title


def test_stays_quiet_on_columns_of_one_scale_on_constant_and_on_rare_ones() -> None:
    assert features_of_different_scale(make_window()) is None
    assert features_of_different_scale(make_window(batch=columns(900, 900, 0, 700), stats=LARGE)) is None
    assert features_of_different_scale(make_window(batch=columns(1, 1, 0.005, 1))) is None


def test_leaves_raw_pictures_to_another_check_when_a_few_columns_hardly_vary() -> None:
    pixels = columns(*[90.0] * 12, 0.3, 0.3)
    assert features_of_different_scale(make_window(batch=pixels, stats=LARGE)) is None
    assert features_of_different_scale(make_window(batch=pixels, stats=LARGE), share=0.1) is not None


def test_stays_quiet_behind_a_normalisation() -> None:
    layers = {"norm": "BatchNorm1d(8)", "fc": "Linear(8, 4)"}
    assert features_of_different_scale(make_window(layers=layers, batch=columns(1, 1, 900))) is None


def test_skips_inputs_without_features() -> None:
    for batch in ({"feature_std": None}, {"feature_mean": [1.0], "feature_std": [1.0]}):
        with pytest.raises(Skip):
            features_of_different_scale(make_window(batch=batch))


def test_finds_a_table_that_was_scaled_as_a_whole_if_little_is_learnt_from_it() -> None:
    table = columns(3.0, 0.1, 0.002, 0.004, 0.01, 0.003)
    answers = {"label_counts": [[50, 50]] * 3, "counted": 100.0}
    for right, is_found in ((70.0, True), (99.0, False)):
        window = make_window(batch=table, eval_batch=answers | {"correct": right})
        assert (features_of_different_scale(window) is not None) is is_found
