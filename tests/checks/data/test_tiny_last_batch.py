import numpy as np
import pytest

from stetho.checks.data.tiny_last_batch import tiny_last_batch
from stetho.checks.declare import Skip
from stetho.checks.run.facts import Layer
from stetho.testing import make_window

SIZES = np.where(np.arange(1, 61) % 20 == 0, 2, 32)


def norm(output: str) -> list[Layer]:
    return [Layer("norm", "BatchNorm1d", "8", output=output)]


def test_finds_two_samples_for_a_normalisation() -> None:
    finding = tiny_last_batch(make_window(layers=norm("float32[32, 8]"), step={"batch_size": SIZES}))
    assert (finding.severity, finding.steps.count) == ("warning", 3)


def test_is_a_note_for_pictures() -> None:
    assert (
        tiny_last_batch(make_window(layers=norm("float32[32, 8, 9, 9]"), step={"batch_size": SIZES})).severity == "note"
    )


@pytest.mark.parametrize(("correct", "severity"), [(98, "note"), (80, "warning")])
def test_is_a_note_where_the_model_turned_out_well(correct: int, severity: str) -> None:
    answers = {"label_counts": [50, 50], "correct": correct, "counted": 100}
    window = make_window(layers=norm("float32[32, 8]"), step={"batch_size": SIZES}, eval_batch=answers)
    assert tiny_last_batch(window).severity == severity


def test_finds_the_end_of_a_program() -> None:
    error = "ValueError: Expected more than 1 value per channel when training, got input size torch.Size([1, 8])"
    window = make_window(layers=norm("float32[32, 8]"), info={"exit": {"kind": "exception", "error": error}})
    assert tiny_last_batch(window).severity == "error"


def test_stays_quiet_on_even_batches_and_on_small_ones_throughout() -> None:
    assert tiny_last_batch(make_window(layers=norm("float32[32, 8]"))) is None
    assert tiny_last_batch(make_window(layers=norm("float32[2, 8]"), step={"batch_size": 2})) is None


def test_stays_quiet_on_sizes_that_are_not_known() -> None:
    assert tiny_last_batch(make_window(layers=norm("float32[32, 8]"), step={"batch_size": None})) is None


def test_skips_models_without_normalisation() -> None:
    with pytest.raises(Skip):
        tiny_last_batch(make_window(step={"batch_size": SIZES}))
