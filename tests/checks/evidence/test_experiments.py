from stetho.checks.evidence.experiments import experiment
from stetho.checks.loop.hidden_state_carried import hidden_state_carried
from stetho.checks.loop.parameters_reset import parameters_reset
from stetho.checks.run.facts import Loss
from stetho.testing import make_window

UNLEARNT = {"label_counts": [[50, 50]] * 3, "counted": 100.0, "correct": 52.0}
LOSSES = [Loss("cross_entropy", "train.py:31", target="int64[32]")]


def after(calls, **more):
    """A run that learnt nothing, with an experiment."""
    return make_window(probes={"calls": calls}, **{"eval_batch": UNLEARNT, "losses": LOSSES} | more)


def test_without_an_experiment_nothing_is_known():
    found = experiment(make_window())
    assert (found.is_mixed, found.is_stateful, found.redrawn, found.dropouts) == (False, False, (), ())
    assert experiment(after({"skipped": "too large"})).skipped == "too large"
    assert experiment(after({"others": None, "redrawn": None, "samples": "32"})).samples == 0


def test_an_answer_that_changes_from_call_to_call_is_a_state_carried_over():
    found = hidden_state_carried(after({"repeated": 0.2, "state": ["memory"]}))
    assert "memory" in found.title
    assert found.severity == "error"


def test_parameters_that_each_call_draws_anew_are_reset():
    found = parameters_reset(after({"redrawn": ["fc1.weight"]}))
    assert found.where.parameter == "fc1.weight"
    assert parameters_reset(after({"redrawn": ["teacher.weight"]})) is None
