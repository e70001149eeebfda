import numpy as np

from stetho.checks.loop.parameters_reset import parameters_reset
from stetho.checks.mechanisms.set_anew import set_anew
from stetho.testing import make_window

NAMES = ("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias")
STAYS = {"loss": 2.3 + 0.01 * np.sin(np.arange(60))}
FALLS = {"loss": np.linspace(2.3, 0.2, 60)}
IN_LOOP = {"reset": ["train.py:5"]}


def moving(names=NAMES, step=STAYS, lines=IN_LOOP, sampled=False):
    """Parameters whose means jump about in each step; those of the others follow from their updates."""
    jumps, follows = 0.05 * np.sin(np.arange(60) ** 2), 0.001 * np.arange(60)
    stats = {}
    for name in NAMES:
        stats |= {
            (name, "param.mean"): jumps if name in names else follows,
            (name, "update.mean"): 0.001,
            (name, "param.rms"): 0.2,
            (name, "update.rms"): 0.01,
            (name, "param.count"): 40.0,
            (name, "update.count"): 20.0 if sampled else 40.0,
        }
    return make_window(stats=stats, step=step, lines=lines)


def test_parameters_that_no_update_lasts_in_are_counted():
    found = parameters_reset(moving())
    assert (found.severity, found.where.line, found.evidence["parameters"]) == ("error", 5, 4)


def test_parameters_that_follow_their_updates_are_not():
    assert set_anew(moving(names=())) is None


def test_a_few_parameters_that_others_move_are_no_reset():
    assert set_anew(moving(names=NAMES[:2])) is None


def test_what_is_constrained_in_each_step_learns_all_the_same():
    assert set_anew(moving(step=FALLS)) is None


def test_without_an_initialisation_in_the_loop_nothing_is_said():
    assert set_anew(moving(lines={})) is None
    assert set_anew(moving(lines=IN_LOOP | {"load_state_dict": ["train.py:9"]})) is None


def test_samples_of_updates_say_nothing_of_the_mean():
    assert set_anew(moving(sampled=True)) is None
