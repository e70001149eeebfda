import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.model.misplaced_batch_norm import misplaced_batch_norm
from stetho.checks.run.facts import Layer, LossGraph, Op
from stetho.testing import make_window

NORM = "BatchNorm1d(4, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)"
LAYERS = {"fc1": "Linear(8, 4)", "norm": NORM}
GRAPH = [LossGraph("train.py:9", (Op("MseLoss"),), (Op("NativeBatchNorm"), Op("Addmm")), (32, 4))]


def test_finds_batch_norm_at_the_end() -> None:
    assert misplaced_batch_norm(make_window(layers=LAYERS, loss_graphs=GRAPH)).where.layer == "norm"


def test_finds_batches_of_one() -> None:
    assert "batches of 1" in misplaced_batch_norm(make_window(layers=LAYERS, batch={"size": 1})).title


def test_stays_quiet_on_batch_norm_inside() -> None:
    assert misplaced_batch_norm(make_window(layers=LAYERS)) is None


def test_stays_quiet_on_unknown_sizes() -> None:
    assert misplaced_batch_norm(make_window(layers=LAYERS, batch={"size": np.nan})) is None


def test_skips_models_without_it() -> None:
    with pytest.raises(Skip):
        misplaced_batch_norm(make_window())


@pytest.mark.parametrize(("operands", "is_found"), [(1, True), (2, False)])
def test_finds_it_before_an_error_written_by_hand_but_not_before_a_comparison_of_outputs(operands, is_found) -> None:
    ops = (Op("Mean", inputs=1), Op("Pow", inputs=1), Op("Sub", inputs=operands, reads_output=True))
    graph = LossGraph("train.py:9", ops, (Op("NativeBatchNorm"), Op("Addmm")), (32, 4))
    assert (misplaced_batch_norm(make_window(layers=LAYERS, loss_graphs=[graph])) is not None) == is_found


def test_names_the_call_in_a_forward_that_puts_it_at_the_end() -> None:
    top = Layer("", "Net", called="train.py:9")
    norm = Layer("norm", "BatchNorm1d", settings=NORM, constructed="net.py:3", called="net.py:7", calls=9)
    window = make_window(layers=[top, norm], loss_graphs=GRAPH)
    assert misplaced_batch_norm(window).where.line == 7
