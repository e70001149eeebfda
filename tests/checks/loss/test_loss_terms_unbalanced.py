import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.loss.loss_terms_unbalanced import loss_terms_unbalanced
from stetho.checks.run.facts import Loss
from stetho.testing import make_window

WHOLE = np.linspace(400, 100, 60)


def test_finds_a_term_that_is_not_learnt() -> None:
    finding = loss_terms_unbalanced(make_window(step={"loss": WHOLE}, batch={"loss": 1.4}))
    assert finding.severity == "warning"


def test_stays_quiet_on_a_term_that_is_learnt() -> None:
    assert loss_terms_unbalanced(make_window(step={"loss": WHOLE}, batch={"loss": np.linspace(1.4, 0.2, 60)})) is None


def test_stays_quiet_on_a_constant_factor_and_on_equal_values() -> None:
    assert loss_terms_unbalanced(make_window(step={"loss": WHOLE}, batch={"loss": WHOLE / 1000})) is None
    assert loss_terms_unbalanced(make_window(step={"loss": WHOLE}, batch={"loss": WHOLE})) is None


def test_skips_what_cannot_be_compared() -> None:
    with pytest.raises(Skip):
        loss_terms_unbalanced(make_window(batch={"loss": np.nan}))
    with pytest.raises(Skip):
        loss_terms_unbalanced(make_window(steps=4, batch={"loss": 1.0}))


def classes(correct: int) -> dict[str, object]:
    return {"loss": np.linspace(1.4, 0.9, 60), "label_counts": [[20, 20]] * 60, "correct": correct, "counted": 40}


def test_finds_a_small_term_whose_answers_stay_wrong() -> None:
    window = make_window(step={"loss": WHOLE}, batch=classes(23), eval_batch={"label_counts": None})
    assert loss_terms_unbalanced(window) is not None


def test_stays_quiet_on_a_small_term_whose_answers_are_right() -> None:
    window = make_window(step={"loss": WHOLE}, batch=classes(38), eval_batch={"label_counts": None})
    assert loss_terms_unbalanced(window) is None


def sacrificed(last: float, call: str = "hand_written_term"):  # type: ignore[no-untyped-def]
    term, rest = np.linspace(1.0, last, 200), 16 * np.exp(-np.arange(200) / 10)
    return make_window(steps=200, step={"loss": term + rest}, batch={"loss": term}, losses=[Loss(call, "train.py:9")])


def test_finds_an_error_that_stays_while_the_rest_is_driven_to_nothing() -> None:
    assert "the error begins as 5.9%" in loss_terms_unbalanced(sacrificed(0.9)).title


def test_stays_quiet_on_an_error_that_falls_beside_the_rest() -> None:
    assert loss_terms_unbalanced(sacrificed(0.3)) is None


def silenced(spread: float):  # type: ignore[no-untyped-def]
    term, rest = np.linspace(0.7, 0.42, 200), 17 * np.exp(-np.arange(200) / 10)
    outputs = {"output_std": 1.0, "output_spread": np.linspace(0.9, spread, 200), "size": 64}
    losses = [Loss("binary_cross_entropy_with_logits", "train.py:9")]
    return make_window(steps=200, step={"loss": term + rest}, batch={"loss": term, **outputs}, losses=losses)


def test_finds_a_term_that_silences_the_output() -> None:
    assert loss_terms_unbalanced(silenced(0.04)) is not None


def test_stays_quiet_on_outputs_that_tell_their_samples_apart() -> None:
    assert loss_terms_unbalanced(silenced(0.6)) is None
