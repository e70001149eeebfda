import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.train_mode_in_eval import train_mode_in_eval
from stetho.checks.run.facts import Layer, Loss, Model
from stetho.testing import make_window
from stetho.testing.healthy import LAYERS

DROPPING = LAYERS | {"drop": "Dropout(p=0.5, inplace=False)"}
EVERY_20 = np.repeat([21, 41, 61], 4)


def evaluated(layers=DROPPING, **facts):
    losses = [Loss("cross_entropy", "train.py:31"), Loss("cross_entropy", "train.py:44", "eval")]
    return make_window(layers=layers, eval_batch={"training": 1.0}, losses=losses, **facts)


def by_score(steps=EVERY_20, **more):
    """Evaluations in training mode of which no loss is known, four passes at a time."""
    columns = {"step": steps, "training": 1.0, "loss_call": None, "counted": None, "grad": 0.0} | more
    return make_window(layers=DROPPING, eval_batch=columns)


def with_gradients(steps=EVERY_20, **more):
    return by_score(steps, **{"phase": "unused", "grad": 1.0, "samples": None} | more)


@pytest.mark.parametrize("layer", ["Dropout2d(p=0.1, inplace=False)", "BatchNorm1d(8, eps=1e-05, momentum=0.1)"])
def test_finds_evaluations_with_a_loss_in_training_mode(layer):
    found = train_mode_in_eval(evaluated(LAYERS | {"odd": layer}))
    assert (found.severity, found.where.line) == ("error", 44)
    assert "3 of 3 evaluation passes" in found.title


@pytest.mark.parametrize(("top", "own", "is_found"), [(True, False, False), (True, True, True), (False, False, True)])
def test_layers_that_the_program_keeps_in_evaluation_mode_are_in_the_right_one(top, own, is_found):
    """A whole model in evaluation mode was set so when all was over."""
    layers = [Layer("", "Net", training=top), Layer("norm", "BatchNorm1d", "8", training=own)]
    assert (train_mode_in_eval(evaluated(layers)) is not None) is is_found


@pytest.mark.parametrize("window", [by_score, with_gradients])
def test_finds_evaluations_that_only_count_what_is_right(window):
    found = train_mode_in_eval(window())
    assert (found.severity, found.steps.count) == ("warning", 12)


def test_finds_single_samples_from_a_loader_of_their_own_and_a_large_batch_made_by_hand():
    assert train_mode_in_eval(by_score(size=1.0)) is not None
    assert train_mode_in_eval(by_score(size=400.0, loader=0.0)) is not None


@pytest.mark.parametrize("grad", [0.0, 1.0])
def test_finds_small_batches_whose_answers_are_compared_with_labels(grad):
    window = by_score(size=4.0, loader=None, counted=4.0, correct=3.0, grad=grad, samples=None)
    assert train_mode_in_eval(window).severity == "error"


def test_stays_quiet_on_scores_of_the_training_data():
    judged = {"step": EVERY_20, "training": 1.0, "loss_call": None, "counted": 4.0, "grad": 1.0}
    same, other = ({"samples": [[n, n + 1]] * count} for n, count in ((1, 60), (7, 60)))
    seen, new = ({"samples": [[n, n + 1]] * len(EVERY_20)} for n in (1, 5))
    for trained, evaluated_on, is_found in ((same, seen, False), (other, seen, True), (same, new, True)):
        window = make_window(layers=DROPPING, batch=trained, eval_batch=judged | evaluated_on)
        assert (train_mode_in_eval(window) is not None) is is_found


def predicted(steps=60, count=12, **more):
    """Predictions of single samples without gradients, after the last step."""
    columns = {"size": 1.0, "loader": None, "hash": np.arange(count), "samples": None}
    return by_score(np.repeat([steps], count), **columns | more)


def test_finds_predictions_one_by_one_after_the_training():
    assert train_mode_in_eval(predicted()).severity == "warning"
    assert train_mode_in_eval(predicted(loader=0.0)) is not None


@pytest.mark.parametrize(
    "what_else",
    [
        {"steps": 40},  # in between: an agent that acts
        {"count": 4},  # a look at a few
        {"hash": 7},  # one input again and again: how much the answers differ
        {"size": 32.0, "loader": 0.0},  # statistics gathered anew on the training data
        {"shape": [1, 100]},  # a part of the model that is given something else
        {"training": 0.0},
    ],
)
def test_stays_quiet_on_passes_after_the_training_that_may_be_something_else(what_else):
    assert train_mode_in_eval(predicted(**what_else)) is None


def test_names_the_line_of_a_pass_that_nothing_uses():
    window = make_window(
        layers=DROPPING,
        eval_batch={"step": EVERY_20, "training": 1.0, "loss_call": None, "phase": "unused"},
        lines={"unused forward": ["train.py:50"]},
    )
    assert train_mode_in_eval(window).where.line == 50


def test_stays_quiet_in_evaluation_mode():
    assert train_mode_in_eval(make_window(layers=DROPPING)) is None


@pytest.mark.parametrize("layers", [LAYERS, LAYERS | {"drop": "Dropout(p=0.0, inplace=False)"}])
def test_stays_quiet_when_no_layer_differs(layers):
    assert train_mode_in_eval(evaluated(layers)) is None


@pytest.mark.parametrize("window", [by_score, with_gradients])
@pytest.mark.parametrize(
    "what_else",
    [
        {"steps": np.arange(1, 61)},  # an agent that acts before each step
        {"size": 1.0, "loader": None},  # one state at a time
        {"steps": np.repeat([21, 41, 61], [3, 12, 7])},  # episodes of any length
        {"shape": [32, 100]},  # a part of the model that is given something else
        {"loader": 0.0},  # statistics gathered anew on the training data
        {"steps": np.repeat([61], 8)},  # once only
    ],
    ids=["every step", "single", "uneven", "other shape", "training data", "once"],
)
def test_stays_quiet_on_passes_that_may_be_something_else(window, what_else):
    assert train_mode_in_eval(window(**what_else)) is None


def test_stays_quiet_on_a_generator_that_shows_its_pictures():
    columns = {"step": EVERY_20, "training": 1.0, "loss_call": None, "counted": None}
    turns = {"optimizer": [0.0, 1.0] * 30}
    assert train_mode_in_eval(make_window(layers=DROPPING, eval_batch=columns, step=turns)) is None


def test_stays_quiet_on_features_of_a_model_that_has_no_targets():
    columns = {"step": EVERY_20, "training": 1.0, "loss_call": None, "counted": None, "grad": 0.0}
    untold = {"loss_call": None, "label_counts": None}
    assert train_mode_in_eval(make_window(layers=DROPPING, eval_batch=columns, batch=untold)) is None


def test_stays_quiet_on_a_copy_that_is_not_trained():
    columns = {"step": EVERY_20, "training": 1.0, "loss_call": None, "counted": None}
    teacher = [Model(0, "Teacher", is_trained=False)]
    assert train_mode_in_eval(make_window(layers=DROPPING, eval_batch=columns, models=teacher)) is None


def test_is_skipped_without_an_evaluation():
    with pytest.raises(Skip, match="no evaluation was seen"):
        train_mode_in_eval(make_window(layers=DROPPING, eval_batch={"phase": "none"}))


def test_names_the_caller_of_a_function_that_trains_as_well():
    lines = {"evaluation": ("train.py:9",), "evaluation called": ("train.py:50",)}
    assert train_mode_in_eval(evaluated(lines=lines)).where.line == 50


def test_points_at_a_switch_that_does_nothing():
    facts = {"lines": {"evaluation": ("train.py:50",)}, "given": {"train.py:50": {"mode": "train.py:48"}}}
    assert train_mode_in_eval(evaluated(**facts)).where.line == 48


@pytest.mark.parametrize(("batches", "is_found"), [(1, False), (4, False), (5, True), (20, True)])
def test_stays_quiet_on_batches_that_are_asked_again_and_again_between_two_steps(batches, is_found):
    steps = np.repeat([21, 41, 61], 20)
    window = by_score(steps, hash=np.tile(np.arange(20) % batches, 3) + 1000.0 * steps)
    assert (train_mode_in_eval(window) is not None) is is_found
    window = by_score(steps, hash=np.tile(np.arange(20) % batches, 3) + 1000.0 * steps, loss_call="cross_entropy")
    assert (train_mode_in_eval(window) is not None) is is_found


def test_names_the_layers_that_are_not_spared():
    top, spared = Layer("", "Net", training=True), Layer("drop", "Dropout", "p=0.5", training=False)
    found = train_mode_in_eval(evaluated([top, spared, Layer("norm", "BatchNorm1d", "8", training=True)]))
    assert found.evidence["layers"] == "norm"
