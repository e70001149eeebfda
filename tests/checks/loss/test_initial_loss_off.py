import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.loss.initial_loss_off import initial_loss_off
from stetho.checks.run.facts import Loss, Parameter
from stetho.testing import make_window


@pytest.mark.parametrize(("first", "severity"), [(20.0, "warning"), (6.0, "warning"), (4.0, "note")])
def test_finds_a_first_loss_above_chance(first: float, severity: str) -> None:
    finding = initial_loss_off(make_window(batch={"loss": np.linspace(first, 0.1, 60)}))
    assert finding.severity == severity
    assert finding.evidence["chance"] == pytest.approx(np.log(4))


def test_knows_the_chance_of_yes_and_no() -> None:
    loss = Loss("binary_cross_entropy_with_logits", input="float32[32, 1]")
    window = make_window(losses=[loss], batch={"loss": 9.0, "loss_call": loss.call})
    assert initial_loss_off(window).evidence["chance"] == pytest.approx(np.log(2))


def test_stays_quiet_at_chance_and_below() -> None:
    assert initial_loss_off(make_window(batch={"loss": 1.39})) is None
    assert initial_loss_off(make_window(batch={"loss": 0.01})) is None


def test_skips_what_has_no_chance_level() -> None:
    for losses, batch in (
        ([Loss("mse_loss")], {"loss": 9.0, "loss_call": "mse_loss"}),
        ([], {"loss": 9.0}),
        ([], {"loss": np.nan}),
    ):
        with pytest.raises(Skip):
            initial_loss_off(make_window(losses=losses, batch=batch))


def test_a_margin_makes_the_first_loss_worse_than_a_guess_on_purpose() -> None:
    losses = [Loss("cross_entropy", input="float32[32, 4]", settings={"knows_labels": True})]
    with pytest.raises(Skip, match="margin"):
        initial_loss_off(make_window(losses=losses, batch={"loss": 20.0}))


def test_what_a_long_step_does_is_not_the_first_loss() -> None:
    assert initial_loss_off(make_window(batch={"loss": np.append(1.4, np.full(59, 50.0))})) is None


def test_points_at_where_the_program_set_the_last_weights() -> None:
    last = Parameter("fc2.weight", (4, 32), 128, initialised="train.py:22")
    assert initial_loss_off(make_window(batch={"loss": 20.0}, parameters=[last])).where.line == 22
    assert initial_loss_off(make_window(batch={"loss": 20.0})).where.line == 31


def test_it_is_a_note_where_all_ends_well_unless_the_program_set_the_weights() -> None:
    answers = {"label_counts": [[25, 25, 25, 25]] * 3, "correct": 100, "counted": 100}
    given = {"batch": {"loss": 20.0}, "eval_batch": answers}
    assert initial_loss_off(make_window(**given)).severity == "note"
    last = Parameter("fc2.weight", (4, 32), 128, initialised="train.py:22")
    assert initial_loss_off(make_window(**given, parameters=[last])).severity == "warning"
