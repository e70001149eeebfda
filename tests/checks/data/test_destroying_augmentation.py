import numpy as np
import pytest

from stetho.checks.data.destroying_augmentation import destroying_augmentation
from stetho.checks.declare import Skip
from stetho.checks.run.facts import Edge, Loader, Model
from stetho.testing import make_window

SMALL = [Loader(0, length=300, line="train.py:28"), Loader(1, length=200)]
NOISE = {"std": 5.0, "correct": 8}


def test_finds_noise_from_which_nothing_is_learnt() -> None:
    finding = destroying_augmentation(make_window(loaders=SMALL, batch=NOISE))
    assert (finding.severity, finding.where.line) == ("warning", 28)


def test_finds_values_that_are_cut_away() -> None:
    assert destroying_augmentation(make_window(loaders=SMALL, batch={"zeros": 200, "correct": 8})) is not None


def test_finds_noise_without_a_loader_where_the_evaluation_repeats_its_samples() -> None:
    many = np.arange(400 * 32).reshape(400, 32)
    repeating = {"samples": [np.arange(32)] * 20}
    by_hand = NOISE | {"samples": many, "loader": None}
    assert destroying_augmentation(make_window(steps=400, batch=by_hand, eval_batch=repeating)) is not None
    with pytest.raises(Skip):
        destroying_augmentation(make_window(steps=400, batch=by_hand))


def test_stays_quiet_when_it_is_learnt_and_when_samples_look_alike() -> None:
    assert destroying_augmentation(make_window(loaders=SMALL, batch={"std": 5.0})) is None
    assert destroying_augmentation(make_window(loaders=SMALL, batch={"correct": 8})) is None


def test_skips_samples_that_come_again_and_runs_without_an_evaluation() -> None:
    for given in (
        {"batch": NOISE | {"samples": np.tile(np.arange(32), (60, 1))}},
        {"batch": NOISE},
        {"loaders": SMALL, "batch": NOISE, "eval_batch": {"std": np.nan}},
    ):
        with pytest.raises(Skip):
            destroying_augmentation(make_window(**given))


def test_names_the_line_that_makes_the_transform_of_the_loader() -> None:
    pointed = {"train.py:28": {"transform": "train.py:20"}}
    found = destroying_augmentation(make_window(loaders=SMALL, batch=NOISE, given=pointed))
    assert found.where.line == 20


def test_leaves_out_what_another_model_gives() -> None:
    """The features of a body that learns are others at each step."""
    models = [Model(0, "head"), Model(1, "body")]
    for edges, is_found in (([Edge("(input)", "fc1")], True), ([Edge("fc1", "relu")], False)):
        window = make_window(loaders=SMALL, batch=NOISE, models=models, edges=edges)
        if is_found:
            assert destroying_augmentation(window) is not None
        else:
            with pytest.raises(Skip):
                destroying_augmentation(window)
