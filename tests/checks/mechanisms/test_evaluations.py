from stetho.checks.loop.train_mode_in_eval import train_mode_in_eval
from stetho.checks.run.facts import Loss
from stetho.testing import make_window

UNLEARNT = {"label_counts": [[50, 50]] * 3, "counted": 100.0, "correct": 52.0}
LOSSES = [Loss("cross_entropy", "train.py:31", target="int64[32]")]


def after(calls, **more):
    """A run that learnt nothing, with an experiment."""
    return make_window(probes={"calls": calls}, **{"eval_batch": UNLEARNT, "losses": LOSSES} | more)


def test_dropout_that_does_not_know_of_the_mode_goes_on_in_evaluation():
    stuck = {"dropouts": ["train.py:22"], "random": 0.4}
    assert train_mode_in_eval(after(stuck)).where.line == 22
    assert train_mode_in_eval(after(stuck | {"random": 0.0})) is None
    assert train_mode_in_eval(after(stuck, eval_batch=UNLEARNT | {"training": 1.0})) is None
