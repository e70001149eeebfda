import pytest

from stetho.checks.declare import Skip
from stetho.checks.loss.loss_broadcast import loss_broadcast
from stetho.checks.run.facts import Loss, LossGraph, Op
from stetho.testing import make_window

SQUARE = (32, 32)


def by_hand(*ops: Op, output: tuple[int, ...] = (32, 1)):  # type: ignore[no-untyped-def]
    return make_window(losses=[], loss_graphs=[LossGraph("train.py:32", ops, (Op("Addmm", output),), output)])


def test_finds_a_column_against_a_row() -> None:
    loss = Loss("mse_loss", "train.py:31", input="float32[32, 1]", target="float32[32]")
    finding = loss_broadcast(make_window(losses=[loss]))
    assert (finding.evidence["compared"], finding.where.line) == (1024.0, 31)


def test_finds_it_in_a_loss_by_hand() -> None:
    ops = (Op("Mean", (), feeds=None), Op("Pow", SQUARE, feeds=0, inputs=1), Op("Sub", SQUARE, None, 1, 1, True))
    assert loss_broadcast(by_hand(*ops)) is not None


def test_stays_quiet_on_equal_shapes_and_on_a_wider_prediction() -> None:
    assert loss_broadcast(make_window()) is None
    for given, wanted in (
        ("float32[32, 1]", "float32[32, 1]"),
        ("float32[32, 9]", "float32[32, 1]"),
        ("float32[32]", "float32[1]"),
    ):
        assert loss_broadcast(make_window(losses=[Loss("mse_loss", input=given, target=wanted)])) is None


def test_stays_quiet_on_pairs_of_predictions() -> None:
    ops = (Op("Mean", ()), Op("Softplus", SQUARE, feeds=0, inputs=1), Op("Sub", SQUARE, None, 1, 2, True))
    assert loss_broadcast(by_hand(*ops)) is None


def test_stays_quiet_on_shapes_that_are_not_known() -> None:
    assert loss_broadcast(make_window(losses=[Loss("mse_loss")])) is None
    assert loss_broadcast(by_hand(Op("Mean"), Op("Sub"))) is None


def test_skips_runs_without_a_loss() -> None:
    with pytest.raises(Skip):
        loss_broadcast(make_window(losses=[], loss_graphs=[]))


def test_names_who_calls_a_formula_that_is_given_other_shapes() -> None:
    ops = (Op("Mean", (), feeds=None), Op("Pow", SQUARE, feeds=0, inputs=1), Op("Sub", SQUARE, None, 1, 1, True))
    graph = LossGraph("train.py:32", ops, (Op("Addmm", (32, 1)),), (32, 1), made="train.py:9")
    window = make_window(losses=[], loss_graphs=[graph], given={"train.py:9": {"shapes": "train.py:30"}})
    assert loss_broadcast(window).where.line == 30
