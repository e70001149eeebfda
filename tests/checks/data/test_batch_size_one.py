import pytest

from stetho.checks.data.batch_size_one import batch_size_one
from stetho.checks.declare import Skip
from stetho.testing import make_window


def test_finds_single_samples_with_a_loss_that_does_not_fall() -> None:
    assert batch_size_one(make_window(step={"batch_size": 1, "loss": 1.4})).severity == "warning"


def test_finds_single_samples_under_a_normalisation() -> None:
    layers = {"norm": "BatchNorm2d(8)", "fc": "Linear(8, 4)"}
    assert batch_size_one(make_window(layers=layers, step={"batch_size": 1})).where.layer == "norm"


def test_is_a_note_when_it_goes_well() -> None:
    assert batch_size_one(make_window(step={"batch_size": 1})).severity == "note"


def test_stays_quiet_on_batches_and_on_accumulated_samples() -> None:
    assert batch_size_one(make_window()) is None
    assert batch_size_one(make_window(step={"batch_size": 1, "backwards": 8})) is None


def test_skips_short_runs_and_unknown_sizes() -> None:
    for given in ({"steps": 5}, {"step": {"batch_size": None}}):
        with pytest.raises(Skip):
            batch_size_one(make_window(**given))
