import pytest

from stetho.checks.experiments import experiment
from stetho.checks.facts import Loss
from stetho.checks.loop.hidden_state_carried import hidden_state_carried
from stetho.checks.loop.parameters_reset import parameters_reset
from stetho.checks.loop.train_mode_in_eval import train_mode_in_eval
from stetho.checks.signal.samples_mixed import samples_mixed
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


MIXED = {"others": 0.3, "samples": 32, "aligned": True}


def test_samples_that_move_with_the_others_are_mixed():
    found = samples_mixed(after(MIXED))
    assert (found.severity, found.evidence["moved"]) == ("error", 0.3)


@pytest.mark.parametrize(
    ("change", "more"),
    [
        ({"others": 0.0}, {}),
        ({"aligned": False}, {}),  # a graph beside the nodes
        ({"samples": 20}, {}),  # rows that are no samples
        ({"others_along_second": 0.0}, {}),  # the batch may be the second axis
        ({}, {"batch": {"hash": 7}}),  # the whole of one graph in each step
        ({}, {"layers": {"norm": "BatchNorm1d(8, track_running_stats=False)"}}),
    ],
    ids=["independent", "graph", "other rows", "time first", "whole", "own statistics"],
)
def test_samples_that_may_belong_together_are_not(change, more):
    assert samples_mixed(after(MIXED | change, **more)) is None


def test_samples_that_are_mixed_and_learnt_are_a_note():
    assert samples_mixed(after(MIXED, eval_batch=UNLEARNT | {"correct": 99.0})).severity == "note"


def test_an_answer_that_changes_from_call_to_call_is_a_state_carried_over():
    found = hidden_state_carried(after({"repeated": 0.2, "state": ["memory"]}))
    assert "memory" in found.title
    assert found.severity == "error"


def test_parameters_that_each_call_draws_anew_are_reset():
    found = parameters_reset(after({"redrawn": ["fc1.weight"]}))
    assert found.where.parameter == "fc1.weight"
    assert parameters_reset(after({"redrawn": ["teacher.weight"]})) is None


def test_dropout_that_does_not_know_of_the_mode_goes_on_in_evaluation():
    stuck = {"dropouts": ["train.py:22"], "random": 0.4}
    assert train_mode_in_eval(after(stuck)).where.line == 22
    assert train_mode_in_eval(after(stuck | {"random": 0.0})) is None
    assert train_mode_in_eval(after(stuck, eval_batch=UNLEARNT | {"training": 1.0})) is None
