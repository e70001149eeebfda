from dataclasses import replace

import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.parameters_reset import parameters_reset
from stetho.checks.run.facts import Load
from stetho.testing import make_window
from stetho.testing.healthy import LAYERS, layer_of, parameters_of

PARAMETERS = ("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias")


def jumping(*steps, names=PARAMETERS, **facts):
    """Parameters whose largest element grows by 0.001 in each step, and by 0.3 before these steps."""
    moved = np.full(60, 0.001)
    moved[[step - 1 for step in steps]] = 0.3
    course = {"param.max": 0.5 + np.cumsum(moved), "param.min": -0.5, "update.absmax": 0.001}
    steady = course | {"param.max": 0.5 + 0.001 * np.arange(60)}
    stats = {
        (name, stat): values
        for name in PARAMETERS
        for stat, values in (course if name in names else steady).items()
    }  # fmt: skip
    return make_window(stats=stats, **facts)


def test_finds_steps_before_which_the_parameters_jump():
    found = parameters_reset(jumping(21, 41))
    assert (found.severity, found.evidence["jumps_at"], found.where.line) == ("error", [21, 41], 8)


def test_stays_quiet_on_parameters_that_move_as_far_as_their_updates():
    assert parameters_reset(jumping()) is None
    assert parameters_reset(make_window()) is None


def test_stays_quiet_when_one_parameter_alone_jumps():
    assert parameters_reset(jumping(21, names=("fc2.bias",))) is None


def test_stays_quiet_on_changes_in_most_steps():
    assert parameters_reset(jumping(*range(2, 60, 3))) is None


def test_stays_quiet_when_weights_are_loaded():
    assert parameters_reset(jumping(21, lines={"load_state_dict": ["train.py:50"]})) is None


def test_is_skipped_when_parameters_were_hardly_measured():
    with pytest.raises(Skip, match="not measured in steps that follow each other"):
        parameters_reset(make_window(steps=2))


def test_finds_weights_that_are_loaded_from_the_start_again():
    losses = np.concatenate([np.geomspace(4.0, 0.5, 20), np.geomspace(3.8, 0.5, 40)])
    found = parameters_reset(jumping(21, lines={"load_state_dict": ["train.py:50"]}, step={"loss": losses}))
    assert (found.where.line, found.evidence["jumps_at"]) == (50, [21])


@pytest.mark.parametrize(("others", "is_found"), [((11,), True), ((6, 11, 16, 26, 31, 36), False)])
def test_one_hard_batch_after_many_exchanges_of_weights_is_no_reset(others, is_found):
    losses = np.geomspace(4.0, 0.1, 60)
    losses[40] = 3.9
    facts = {"lines": {"load_state_dict": ["train.py:50"]}, "step": {"loss": losses}}
    assert (parameters_reset(jumping(41, *others, **facts)) is not None) == is_found


def test_the_way_back_after_a_trial_of_rates_is_no_reset():
    losses = np.concatenate([np.geomspace(4.0, 0.5, 20), np.geomspace(3.8, 0.5, 40)])
    swept = np.concatenate([np.geomspace(1e-4, 2.0, 20), np.full(40, 0.02)])
    facts = {"lines": {"load_state_dict": ["train.py:50"]}}
    assert parameters_reset(jumping(21, step={"loss": losses, "lr": swept}, **facts)) is None
    assert parameters_reset(jumping(21, step={"loss": losses, "lr": 0.02}, **facts)) is not None


def test_the_largest_of_the_noise_that_a_sampler_adds_to_every_step_is_no_reset():
    drifting = np.cumsum(np.full(60, 0.02))
    noisy = {
        (name, stat): values
        for name in PARAMETERS
        for stat, values in (("param.mean", drifting), ("update.mean", 0.0), ("param.rms", 0.5), ("update.rms", 1e-3),
                             ("param.count", 8), ("update.count", 8), ("update.absmax", 0.001), ("param.min", -0.5),
                             ("param.max", 0.5 + np.where(np.arange(60) >= 20, 0.3, 0.0)))
    }  # fmt: skip
    assert parameters_reset(make_window(stats=noisy)) is None
    still = noisy | {(name, "param.mean"): 0.0 for name in PARAMETERS}
    assert parameters_reset(make_window(stats=still)).evidence["jumps_at"] == [21]


def test_points_at_the_line_that_resets():
    assert parameters_reset(jumping(21, 41, lines={"reset": ["train.py:5"]})).where.line == 5


@pytest.mark.parametrize(("losses", "is_found"), [((2.3, 0.2, 0.19), False), ((2.3, 1.6, 0.9), True)])
def test_a_training_that_has_come_to_its_end_may_be_followed_by_another(losses, is_found):
    before = np.interp(np.arange(40), [0, 15, 39], losses)
    course = {"loss": np.concatenate([before, before[:20]]), "optimizer": [0.0] * 40 + [1.0] * 20}
    assert (parameters_reset(jumping(41, step=course)) is not None) == is_found
    same = course | {"optimizer": 0.0}
    assert parameters_reset(jumping(41, step=same)) is not None


def test_of_several_lines_that_load_weights_the_one_before_the_jump_is_named():
    losses = np.concatenate([np.geomspace(4.0, 0.5, 20), np.geomspace(3.8, 0.5, 40)])
    loads = [Load("train.py:50", step=0), Load("train.py:70", step=20)]
    lines = {"load_state_dict": ["train.py:50", "train.py:70"]}
    assert parameters_reset(jumping(21, lines=lines, loads=loads, step={"loss": losses})).where.line == 70


def test_finds_one_model_that_jumps_beside_others_that_do_not():
    """As folds do, which have one model after the other."""
    own = parameters_of([layer_of(name, text, place) for place, (name, text) in enumerate(LAYERS.items())])
    others = [replace(parameter, model=model) for model in (1, 2) for parameter in own]
    window, steady = jumping(21, 41, parameters=[*own, *others]), jumping()
    read = window._read
    window._read = lambda key, measure: steady._read((0, *key[1:]), measure) if key[0] else read(key, measure)
    found = parameters_reset(window)
    assert found.evidence["jumps_at"] == [21, 41]
    assert found.title.startswith("4 of 12 parameters jumped before step 21")
