from stetho.checks.mechanisms.moments import cut_between_moments
from stetho.checks.run.facts import Layer, LossGraph, Parameter
from stetho.testing import make_window


def recurrent(cut: str | None = "train.py:30", calls: int = 120, correct: int = 20):  # type: ignore[no-untyped-def]
    return make_window(
        layers=[Layer("", "Net", calls=10), Layer("cell", "GRUCell", calls=calls, cut=cut)],
        parameters=[Parameter("cell.weight_hh", "cell")],
        loss_graphs=[LossGraph(reached=("cell.weight_hh",))],
        batch={"label_counts": [[25, 25, 25, 25]] * 60, "correct": correct, "counted": 100},
        eval_batch={"label_counts": None},
        steps=60,
    )


def test_finds_a_state_that_is_cut_at_every_moment() -> None:
    found = cut_between_moments(recurrent())
    assert (found.where.line, found.where.layer, found.evidence["calls"]) == (30, "cell", 12)


def test_stays_quiet_where_the_state_is_handed_on() -> None:
    assert cut_between_moments(recurrent(cut=None)) is None


def test_stays_quiet_where_one_moment_is_enough_to_learn() -> None:
    assert cut_between_moments(recurrent(correct=99)) is None


def test_stays_quiet_on_a_cell_that_is_called_once_or_twice() -> None:
    assert cut_between_moments(recurrent(calls=20)) is None
