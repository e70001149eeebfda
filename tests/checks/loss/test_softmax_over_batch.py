import pytest

from stetho.checks import CATALOG
from stetho.checks.declare import Skip
from stetho.checks.loss.softmax_over_batch import softmax_over_batch
from stetho.checks.run.facts import LossGraph, Op
from stetho.testing import make_window


def window(*ops: Op):  # type: ignore[no-untyped-def]
    return make_window(loss_graphs=[LossGraph("train.py:32", ops, (Op("Addmm", ops[-1].shape),), ops[-1].shape)])


@pytest.mark.parametrize("dim", [0, -2])
def test_finds_a_softmax_over_the_samples(dim: int) -> None:
    finding = softmax_over_batch(window(Op("NllLoss", ()), Op("LogSoftmax", (32, 4), dim)))
    assert "32 samples" in finding.title


def test_finds_a_softmax_over_positions() -> None:
    ops = (Op("NllLoss", ()), Op("View", (320, 12)), Op("LogSoftmax", (32, 10, 12), 1))
    assert softmax_over_batch(window(*ops)) is not None


def test_a_softmax_over_positions_is_the_reason_why_later_ones_are_seen() -> None:
    declared = next(each for each in CATALOG if each.name == "softmax-over-batch")
    assert "future-visible" in declared.explains


def test_finds_a_softmax_over_a_side_of_a_picture() -> None:
    ops = (Op("NllLoss2D", ()), Op("LogSoftmax", (20, 3, 24, 24), -1))
    assert "24 positions" in softmax_over_batch(window(*ops)).title
    ops = (Op("NllLoss2D", ()), Op("Log", (20, 3, 16)), Op("Add", (20, 3, 16)), Op("Softmax", (20, 3, 16), 2))
    assert "16 positions" in softmax_over_batch(window(*ops)).title


def test_stays_quiet_on_the_classes_of_a_picture_and_on_places_as_many_as_classes() -> None:
    assert softmax_over_batch(window(Op("NllLoss2D", ()), Op("LogSoftmax", (20, 3, 24, 24), 1))) is None
    assert softmax_over_batch(window(Op("NllLoss2D", ()), Op("LogSoftmax", (20, 24, 24, 24), -1))) is None
    reshaped = (Op("NllLoss", ()), Op("Transpose", (20, 12, 10)), Op("LogSoftmax", (20, 10, 12), 2))
    assert softmax_over_batch(window(*reshaped)) is None


def test_finds_a_softmax_over_all_nodes_of_which_some_are_read() -> None:
    ops = (Op("NllLoss", ()), Op("Index", (200, 4)), Op("LogSoftmax", (500, 4), 0))
    graph = LossGraph("train.py:32", ops, (), None)
    assert "500 samples" in softmax_over_batch(make_window(loss_graphs=[graph])).title


@pytest.mark.parametrize("pick", [Op("Index", (118,)), Op("Gather", (118, 1))])
def test_finds_a_softmax_over_chosen_nodes_of_which_a_loss_by_hand_reads_one_class_each(pick: Op) -> None:
    ops = (Op("Neg", ()), Op("Mean", ()), pick, Op("LogSoftmax", (118, 4), 0), Op("Index", (118, 4)))
    graph = LossGraph("train.py:32", ops, (), (400, 4))
    assert "118 samples" in softmax_over_batch(make_window(loss_graphs=[graph])).title


def test_stays_quiet_on_candidates_that_compete_and_of_which_a_few_are_taken() -> None:
    for taken, scores in ((Op("Index", (5, 3)), (118, 3)), (Op("Index", (118, 1)), (118, 1))):
        ops = (Op("Neg", ()), Op("Mean", ()), taken, Op("LogSoftmax", scores, 0))
        assert softmax_over_batch(make_window(loss_graphs=[LossGraph("train.py:32", ops, (), (400, 4))])) is None


def test_stays_quiet_on_classes() -> None:
    assert softmax_over_batch(make_window()) is None
    assert softmax_over_batch(window(Op("NllLoss", ()), Op("LogSoftmax", (32, 4), -1))) is None


def test_stays_quiet_on_pairs_of_a_batch_and_on_a_single_state() -> None:
    assert softmax_over_batch(window(Op("NllLoss", ()), Op("LogSoftmax", (32, 32), 0))) is None
    assert softmax_over_batch(window(Op("Neg", ()), Op("LogSoftmax", (4,), 0))) is None


def test_stays_quiet_on_attention_inside_the_model() -> None:
    assert softmax_over_batch(window(Op("MseLoss", ()), Op("Addmm", (32, 1)), Op("Softmax", (32, 5), 0))) is None


def test_skips_runs_without_a_graph() -> None:
    with pytest.raises(Skip):
        softmax_over_batch(make_window(loss_graphs=[]))


def test_points_at_the_softmax_in_a_loss_made_by_hand() -> None:
    graph = LossGraph("train.py:32", (Op("NllLoss", ()), Op("LogSoftmax", (32, 4), 0)), (), None)
    given = {"train.py:32": {"softmax over samples": "train.py:12"}}
    assert softmax_over_batch(make_window(loss_graphs=[graph], given=given)).where.line == 12
