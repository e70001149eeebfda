import numpy as np
import pytest

from stetho.checks.data.pretrained_input_mismatch import pretrained_input_mismatch
from stetho.checks.declare import Skip
from stetho.checks.run.facts import Layer, Load, Model
from stetho.testing import make_window

LOADED = [Load("train.py:50", "Net", given=4, matched=4)]
PAIR = [Model(0, "first", "Net"), Model(1, "second", "Net")]
SECOND = np.where(np.arange(60) < 30, 0, 1)


def test_finds_inputs_unlike_those_of_the_first_model() -> None:
    window = make_window(loads=LOADED, models=PAIR, batch={"model": SECOND, "std": np.where(SECOND, 70.0, 1.0)})
    finding = pretrained_input_mismatch(window)
    assert finding.evidence["std"] == pytest.approx(70.0, rel=1e-3)
    assert finding.evidence["before_std"] == pytest.approx(1.0, rel=1e-2)


def test_finds_inputs_of_a_frozen_part_that_is_evaluated_while_another_is_trained() -> None:
    frozen = [Model(0, "first", "Net"), Model(1, "second", "Net", is_trained=False)]
    for steps, is_found in ((400, True), (40, False)):
        window = make_window(steps=steps, loads=LOADED, models=frozen, eval_batch={"model": 1, "std": 0.02})
        assert (pretrained_input_mismatch(window) is not None) is is_found, "an evaluation at the end is none"


def test_leaves_the_inputs_of_new_heads() -> None:
    heads = [Model(0, "head", "Linear"), Model(1, "head#2", "Linear")]
    window = make_window(loads=LOADED, models=heads, batch={"model": SECOND, "std": np.where(SECOND, 70.0, 1.0)})
    assert pretrained_input_mismatch(window) is None


def test_finds_stored_statistics_that_do_not_fit() -> None:
    layers = [Layer("norm", "BatchNorm1d", "8", training=False)]
    window = make_window(loads=LOADED, layers=layers, stats={("norm", "act.rms"): 80.0})
    assert pretrained_input_mismatch(window).where.layer == "norm"


def test_stays_quiet_on_the_same_inputs_and_on_other_models() -> None:
    assert pretrained_input_mismatch(make_window(loads=LOADED)) is None
    other = [Model(0, "first", "Net"), Model(1, "second", "Tree")]
    window = make_window(loads=LOADED, models=other, batch={"model": SECOND, "std": np.where(SECOND, 70.0, 1.0)})
    assert pretrained_input_mismatch(window) is None


def test_skips_models_that_begin_anew() -> None:
    with pytest.raises(Skip):
        pretrained_input_mismatch(make_window())
