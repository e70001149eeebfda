import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.optimisation.loss_spike import loss_spike
from stetho.testing import make_window


def with_spike(height: float) -> np.ndarray:
    loss = 1.0 + 0.05 * np.sin(np.arange(60) * 2.4)
    loss[40] = height
    return loss


def gradients() -> np.ndarray:
    norms = np.ones(60)
    norms[40] = 50.0
    return norms


def test_finds_a_jump_and_that_the_update_moved_first() -> None:
    update = np.full(60, 1e-3)
    update[39] = 1.0
    window = make_window(
        step={"loss": with_spike(30), "grad_norm": gradients()}, stats={("fc1.weight", "update.rms"): update}
    )
    finding = loss_spike(window)
    assert finding.severity == "warning"
    assert finding.steps.first == 41
    assert "the update of fc1.weight" in finding.title


def test_finds_that_the_data_moved_first() -> None:
    std = np.ones(60)
    std[40] = 200.0
    window = make_window(step={"loss": with_spike(30), "grad_norm": gradients()}, batch={"std": std})
    assert "the data" in loss_spike(window).title


def test_a_spike_without_a_gradient_is_a_note() -> None:
    assert loss_spike(make_window(step={"loss": with_spike(30)})).severity == "note"


def test_stays_quiet_on_noise() -> None:
    assert loss_spike(make_window()) is None
    assert loss_spike(make_window(step={"loss": with_spike(2.0)})) is None


def test_stays_quiet_on_losses_that_are_no_numbers() -> None:
    assert loss_spike(make_window(step={"loss": np.nan})) is None


def test_skips_short_runs() -> None:
    with pytest.raises(Skip):
        loss_spike(make_window(steps=10))


def test_a_hard_batch_that_is_forgotten_in_the_next_step_is_only_a_note() -> None:
    finding = loss_spike(make_window(step={"loss": with_spike(30), "grad_norm": gradients()}))
    assert finding.severity == "note"


def test_a_jump_that_lasts_is_a_warning_even_if_nothing_else_moved() -> None:
    loss = with_spike(30)
    loss[41:50] = 20
    assert loss_spike(make_window(step={"loss": loss, "grad_norm": gradients()})).severity == "warning"


def test_a_loss_that_grows_from_step_to_step_is_no_spike() -> None:
    loss = np.append(np.ones(20), 1.35 ** np.arange(40))
    assert loss_spike(make_window(step={"loss": loss, "grad_norm": loss})) is None


def test_a_spike_that_ends_the_run_is_an_error() -> None:
    loss = with_spike(30)
    loss[41:46], loss[46:] = 1e9, np.nan
    assert loss_spike(make_window(step={"loss": loss, "grad_norm": gradients()})).severity == "error"


def test_a_spike_against_targets_of_a_copy_that_follows_is_a_note() -> None:
    update = np.full(60, 1e-3)
    update[39] = 1.0
    probes = {"following": {"model": 1, "looks": 20}, "lagging": {"model": 1, "cosine": 0.9}}
    window = make_window(
        step={"loss": with_spike(30), "grad_norm": gradients()},
        stats={("fc1.weight", "update.rms"): update},
        probes=probes,
    )
    assert loss_spike(window).severity == "note"


def test_stays_quiet_on_the_tail_of_a_noise_that_is_often_as_high() -> None:
    loss = np.full(120, 0.01)
    loss[10::12] = 0.5
    loss[[0, 100]] = 0.7
    assert loss_spike(make_window(steps=120, step={"loss": loss})) is None
    loss[100] = 7.0
    assert loss_spike(make_window(steps=120, step={"loss": loss})).steps.first == 101


def test_a_batch_of_few_samples_is_noisy_in_its_own_right() -> None:
    sizes = np.full(60, 32.0)
    assert loss_spike(make_window(step={"loss": with_spike(30), "batch_size": sizes})) is not None
    sizes[40] = 1
    assert loss_spike(make_window(step={"loss": with_spike(30), "batch_size": sizes})) is None
