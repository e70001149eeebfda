import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.model.too_small_model import too_small_model
from stetho.checks.run.facts import Edge, Loss
from stetho.testing import make_window

TEN = [Loss("cross_entropy", "train.py:31", input="float32[32, 10]")]
FLAT = {"loss": 1.8 + 0.5 * np.exp(-np.arange(200) / 10)}


def layers(width: int) -> dict[str, str]:
    return {
        "fc1": f"Linear(in_features=64, out_features={width}, bias=True)",
        "relu": "ReLU()",
        "fc2": f"Linear(in_features={width}, out_features=10, bias=True)",
    }


def test_finds_a_narrow_layer_with_a_loss_that_stands() -> None:
    finding = too_small_model(make_window(steps=200, layers=layers(2), step=FLAT, losses=TEN))
    assert (finding.severity, finding.where.layer) == ("warning", "fc1")


def test_stays_quiet_on_a_wide_layer() -> None:
    assert too_small_model(make_window(steps=200, layers=layers(32), step=FLAT, losses=TEN)) is None


def test_stays_quiet_on_a_loss_that_falls() -> None:
    assert too_small_model(make_window(steps=200, layers=layers(2), losses=TEN)) is None


def test_skips_short_runs_other_tasks_and_single_layers() -> None:
    with pytest.raises(Skip, match="classifier"):
        too_small_model(make_window(layers=layers(2)))
    with pytest.raises(Skip, match="classifier"):
        too_small_model(make_window(steps=200, layers=layers(2), losses=[]))
    with pytest.raises(Skip, match="hidden"):
        too_small_model(make_window(steps=200, layers={"fc": "Linear(8, 10)"}))


def test_skips_a_narrow_layer_beside_the_way() -> None:
    edges = [Edge("fc1", "fc2", ("Softmax", "Mul", "Sum"))]
    window = make_window(steps=200, layers=layers(2) | {"fc2": "Linear(in_features=32, out_features=10)"}, edges=edges)
    with pytest.raises(Skip, match="hidden"):
        too_small_model(window)


def test_stays_quiet_on_the_code_of_an_autoencoder() -> None:
    window = make_window(steps=200, layers=layers(2), step=FLAT, losses=[Loss("binary_cross_entropy", "train.py:31")])
    assert too_small_model(window) is None


@pytest.mark.parametrize(("width", "is_found"), [(3, True), (16, False)])
def test_finds_a_regression_with_a_handful_of_units(width: int, is_found: bool) -> None:
    curve = {"fc1": f"Linear(in_features=1, out_features={width}, bias=True)", "tanh": "Tanh()"}
    curve |= {"fc2": f"Linear(in_features={width}, out_features=1, bias=True)"}
    window = make_window(
        steps=400, layers=curve, losses=[Loss("mse_loss")], step={"loss": 0.7},
        batch={"label_counts": None, "target_std": 1.0}, eval_batch={"label_counts": None},
    )  # fmt: skip
    assert (too_small_model(window) is not None) == is_found


def test_points_at_where_the_width_is_written() -> None:
    line = make_window(layers=layers(2)).layer("fc1").line
    given = {line: {"out_features=2": "net.py:99"}}
    window = make_window(steps=200, layers=layers(2), step=FLAT, losses=TEN, given=given)
    assert too_small_model(window).where.line == 99


def test_counts_the_classes_of_the_loss_where_the_head_shares_the_weight_of_an_embedding() -> None:
    few = [Loss("cross_entropy", "train.py:31", input="float32[32, 4]")]
    assert too_small_model(make_window(steps=200, layers=layers(2), step=FLAT, losses=few)) is None
