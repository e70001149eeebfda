"""Verdicts in words."""

from dataclasses import replace

import numpy as np

from stetho.comparing.runs.curve import Curve
from stetho.comparing.runs.data import Data
from stetho.comparing.runs.places import Place
from stetho.comparing.runs.verdict import MEANING, kind_of, names_of, sentence_of

SAME = Data("same", None, "", 3)
CURVE = Curve(np.asarray([1, 2]), np.asarray([1.0, 1.0]), np.asarray([1.0, 2.0]), 1e-3, (0, 0))


def place(stage: str, step: int = 1, **layer: object) -> Place:
    both = {"class": "Linear", **layer}
    return Place(step, stage, stage, "fc", 0, both, both, 0.1, {"rms": 1.0}, {"rms": 2.0})


def test_each_stage_has_its_kind() -> None:
    kinds = {stage: kind_of(place(stage), 1, SAME) for stage in ("act", "loss", "grad", "state", "update", "param")}
    assert list(kinds.values()) == ["forward", "loss", "gradient", "optimizer", "update", "weights"]
    assert kind_of(place("param", step=3), 1, SAME) == "outside"


def test_other_data_come_before_what_follows_from_them() -> None:
    assert kind_of(place("act"), 1, Data("order", 1, "", 1)) == "data"
    assert kind_of(place("param"), 1, Data("order", 1, "", 1)) == "weights"


def test_a_layer_that_draws_is_randomness_unless_it_is_set_otherwise() -> None:
    assert kind_of(place("act", **{"class": "Dropout", "settings": "p=0.5", "training": True}), 1, SAME) == "randomness"
    assert kind_of(place("act", **{"class": "Dropout", "settings": "p=0.5", "training": False}), 1, SAME) == "forward"
    assert kind_of(place("act", **{"class": "Dropout", "settings": "p=0.0", "training": True}), 1, SAME) == "forward"


def test_the_losses_around_an_update_are_told() -> None:
    words = sentence_of("update", place("update"), CURVE)
    assert words.startswith(MEANING["update"])
    assert words.endswith("the losses are equal at step 1 and 50 % apart at step 2")


def test_many_names_are_cut() -> None:
    many = [replace(place("act"), name=name) for name in ("a", "a", "b", "c", "d")]
    assert names_of(many) == "`a`, `b`, `c` and 1 more"
    assert names_of(many[:2]) == "`a`"


def test_losses_that_round_differently_are_not_called_wholly_equal() -> None:
    assert sentence_of("equal", None, CURVE) == "everything that was recorded is equal, but for rounding"
