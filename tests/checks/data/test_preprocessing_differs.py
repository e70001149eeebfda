import numpy as np
import pytest

from stetho.checks.data.preprocessing_differs import preprocessing_differs
from stetho.checks.declare import Skip
from stetho.checks.run.facts import Edge, Loader, Model
from stetho.testing import make_window

FLAT = {"feature_mean": None, "feature_std": None}


def test_finds_another_scale_and_another_mean() -> None:
    for other in ({"std": 70.0, "mean": 120.0}, {"mean": 3.0}):
        assert preprocessing_differs(make_window(eval_batch=FLAT | other)).severity == "error"


def test_finds_features_that_differ_one_by_one() -> None:
    swapped = {"feature_mean": [4.0, -4.0] * 4, "feature_std": [1.0] * 8}
    assert "8 of 8" in preprocessing_differs(make_window(eval_batch=swapped)).title


def test_leaves_out_what_another_model_gives_while_it_learns() -> None:
    models, other = [Model(0, "head"), Model(1, "body")], FLAT | {"mean": 3.0}
    assert preprocessing_differs(make_window(eval_batch=other, models=models, edges=[Edge("(input)", "fc1")]))
    with pytest.raises(Skip):
        preprocessing_differs(make_window(eval_batch=other, models=models, edges=[Edge("fc1", "relu")]))


def test_is_a_note_when_training_samples_are_drawn_anew() -> None:
    loaders = [Loader(0, length=200), Loader(1, length=200)]
    samples = np.tile(np.arange(32), (3, 1))
    window = make_window(eval_batch=FLAT | {"std": 0.3, "samples": samples}, loaders=loaders)
    assert preprocessing_differs(window).severity == "note"


def test_a_part_of_the_model_that_is_asked_by_itself_has_other_inputs() -> None:
    shapes = [[32, 4]] * 3
    with pytest.raises(Skip):
        preprocessing_differs(make_window(eval_batch=FLAT | {"std": 70.0, "shape": shapes}))
    assert preprocessing_differs(make_window(eval_batch=FLAT | {"std": 70.0, "shape": [[20, 8]] * 3})) is not None


def test_random_flips_are_no_reason_for_another_scale() -> None:
    loaders = [Loader(0, length=200), Loader(1, length=200)]
    assert preprocessing_differs(make_window(eval_batch=FLAT | {"std": 50.0}, loaders=loaders)).severity == "error"


def test_stays_quiet_on_the_noise_of_sampling() -> None:
    assert preprocessing_differs(make_window()) is None
    assert preprocessing_differs(make_window(eval_batch=FLAT | {"std": 1.3, "mean": 0.3})) is None


def test_is_a_note_when_the_model_is_called_with_several_inputs_for_one_loss() -> None:
    window = make_window(eval_batch=FLAT | {"mean": 3.0}, order="zero_grad forward forward backward step")
    assert preprocessing_differs(window).severity == "note"


def test_takes_each_micro_batch_of_an_accumulation_for_a_pass_of_its_own() -> None:
    window = make_window(eval_batch=FLAT | {"mean": 3.0}, order="zero_grad forward backward forward backward step")
    assert preprocessing_differs(window).severity == "error"


def test_skips_runs_without_an_evaluation_and_token_ids() -> None:
    for given in ({"eval_batch": {"std": np.nan}}, {"eval_batch": {"dtype": "int64"}}, {"eval_batch": {"size": 1}}):
        with pytest.raises(Skip):
            preprocessing_differs(make_window(**given))


def test_stays_quiet_on_inputs_that_a_model_makes_for_itself() -> None:
    eval_batch = FLAT | {"std": np.linspace(1, 9, 12), "step": [60] * 12}
    assert preprocessing_differs(make_window(eval_batch=eval_batch)) is None


def test_an_evaluation_of_the_training_data_hides_nothing() -> None:
    trained = np.tile(np.arange(32), (60, 1))
    evaluated = FLAT | {"std": [1.0, 0.02, 0.02], "samples": [*trained[:1], *trained[:2] + 99]}
    assert preprocessing_differs(make_window(batch={"samples": trained}, eval_batch=evaluated)).severity == "error"
    alone = FLAT | {"std": 1.0, "samples": trained[:3]}
    assert preprocessing_differs(make_window(batch={"samples": trained}, eval_batch=alone)) is None


def test_stays_quiet_on_an_agent_that_acts_before_each_step() -> None:
    acts = FLAT | {"step": np.repeat(np.arange(1, 61), 5), "std": 9.0, "loss_call": None, "counted": None}
    assert preprocessing_differs(make_window(eval_batch=acts)) is None
    one_by_one = acts | {"step": np.arange(1, 61, 2), "size": 1, "samples": None}
    assert preprocessing_differs(make_window(eval_batch=one_by_one)) is None, "it acts at random now and then"
    assert preprocessing_differs(make_window(eval_batch=one_by_one | {"size": 32})) is not None
    rarely = acts | {"step": np.repeat([20, 40, 60], 5)}
    assert preprocessing_differs(make_window(eval_batch=rarely)) is not None
    assert preprocessing_differs(make_window(eval_batch=acts | {"counted": 32.0})) is not None


def test_inputs_that_another_model_makes_and_that_are_alike_at_the_end_are_prepared_alike() -> None:
    growing = FLAT | {"std": np.geomspace(1.0, 200.0, 60)}
    at_the_end = FLAT | {"std": 200.0, "step": [60] * 3}
    assert preprocessing_differs(make_window(batch=growing, eval_batch=at_the_end)) is None
    assert preprocessing_differs(make_window(batch=FLAT, eval_batch=at_the_end)).severity == "error"


def test_stays_quiet_on_a_model_that_is_asked_by_hand_about_the_usual_and_the_unusual() -> None:
    both = FLAT | {"mean": [0.0, 9.0, 9.0], "std": [1.0, 9.0, 9.0], "loader": float("nan")}
    assert preprocessing_differs(make_window(eval_batch=both)) is None
    assert preprocessing_differs(make_window(eval_batch=both | {"loader": 1})) is not None
