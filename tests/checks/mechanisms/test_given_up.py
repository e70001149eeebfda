from stetho.checks.mechanisms.given_up import given_up
from stetho.checks.run.facts import LossGraph, Optimizer, Parameter
from stetho.testing import make_window

BODY = Parameter("body.weight", (30, 24), 720, optimizer=0)
HEAD = Parameter("head.weight", (6, 6), 36, optimizer=1)
BOTH = ("body.weight", "head.weight")


def phases(first=80, last=80, *, correct=25, reached=(BOTH,)):
    return make_window(
        steps=first + last,
        step={"optimizer": [0] * first + [1] * last},
        parameters=[BODY, HEAD],
        optimizers=[Optimizer(0, "Adam", "train.py:50"), Optimizer(1, "Adam", "train.py:54")],
        loss_graphs=[LossGraph(reached=names) for names in reached],
        batch={"label_counts": [[20] * 6] * (first + last), "correct": correct, "counted": 120},
        eval_batch={"label_counts": None},
    )


def test_finds_a_body_that_the_second_optimizer_does_not_hold():
    found = given_up(phases(), [BODY, HEAD])
    assert (found.severity, found.where.line, found.where.parameter) == ("warning", 54, "body.weight")
    assert "last 80 steps" in found.title


def test_stays_quiet_where_the_head_alone_does_well():
    assert given_up(phases(correct=110), [BODY, HEAD]) is None


def test_stays_quiet_where_the_loss_of_the_head_does_not_reach_the_body():
    assert given_up(phases(reached=(BOTH, ("head.weight",))), [BODY, HEAD]) is None


def test_stays_quiet_on_a_short_end():
    assert given_up(phases(last=10), [BODY, HEAD]) is None


def test_stays_quiet_with_one_optimizer():
    assert given_up(phases(first=0), [BODY, HEAD]) is None
