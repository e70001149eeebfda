from dataclasses import replace

import pytest

from stetho.checks.declare import Skip
from stetho.checks.model.misplaced_dropout import misplaced_dropout
from stetho.checks.run.facts import LossGraph, Op
from stetho.testing import make_window

LAYERS = {"fc1": "Linear(8, 4)", "drop": "Dropout(p=0.5, inplace=False)"}


def graph(last: str, *loss: str) -> list[LossGraph]:
    return [LossGraph("train.py:9", tuple(Op(name) for name in loss), (Op(last), Op("Addmm")), (32, 4))]


@pytest.mark.parametrize("op", ["Mul", "NativeDropout"])
def test_finds_dropout_at_the_end(op: str) -> None:
    finding = misplaced_dropout(make_window(layers=LAYERS, loss_graphs=graph(op, "MseLoss")))
    assert (finding.severity, finding.where.layer) == ("error", "drop")
    assert "p=0.5" in finding.title


def test_stays_quiet_on_a_product_that_is_no_dropout() -> None:
    assert misplaced_dropout(make_window(loss_graphs=graph("Mul", "MseLoss"))) is None


def test_stays_quiet_on_dropout_inside() -> None:
    assert misplaced_dropout(make_window(layers=LAYERS | {"fc2": "Linear(4, 4)"})) is None


def test_skips_unknown_losses() -> None:
    with pytest.raises(Skip):
        misplaced_dropout(make_window(layers=LAYERS, loss_graphs=graph("Mul", "Addmm", "NllLoss")))


@pytest.mark.parametrize(("rate", "right", "is_found"), [(0.7, 60, True), (0.3, 60, False), (0.7, 98, False)])
def test_finds_heavy_dropout_right_before_batch_norm_where_much_error_is_left(rate, right, is_found) -> None:
    layers = {"fc1": "Linear(8, 4)", "drop": f"Dropout(p={rate}, inplace=False)", "norm": "BatchNorm1d(4)"}
    answers = {"label_counts": [[50, 50]] * 60, "correct": right, "counted": 100}
    window = make_window(
        steps=60, layers=layers | {"fc2": "Linear(4, 4)"}, batch=answers, eval_batch={"label_counts": None}
    )
    found = misplaced_dropout(window)
    assert (found is not None and found.where.layer == "drop") == is_found


@pytest.mark.parametrize(("calls", "is_found"), [(120, True), (60, False)])
def test_finds_a_dropout_that_is_used_inside_and_at_the_end(calls: int, is_found: bool) -> None:
    layers = {"fc1": "Linear(8, 4)", "drop": "Dropout(p=0.3, inplace=False)", "fc2": "Linear(4, 4)"}
    edges = [("(input)", "fc1"), ("fc1", "drop"), ("drop", "fc2"), ("fc2", "drop")]
    plain = make_window(layers=layers)
    window = make_window(
        layers=[replace(each, calls=calls if each.name == "drop" else 60) for each in plain.layers],
        models=[replace(each, returns="train.py:32") for each in plain.models],
        edges=edges,
        loss_graphs=graph("Mul", "MseLoss"),
    )
    found = misplaced_dropout(window)
    assert (found is not None) == is_found
    assert found is None or (found.where.layer, found.where.line) == ("drop", 32)
