"""What two runs were trained with."""

import torch

from stetho.comparing.runs.hyperparameters import differing_hyperparameters
from stetho.comparing.runs.recorded import Recorded
from tests.comparing.trainings import Record


def names(one, other) -> list[str]:
    return [str(fact) for fact in differing_hyperparameters(Recorded(one), Recorded(other))]


def test_the_learning_rate_is_compared_step_by_step(record: Record) -> None:
    def lower(_model, optimizer, step):
        optimizer.param_groups[0]["lr"] = 0.05 if step == 2 else 0.1

    assert names(record(), record(after=lower)) == ["lr from step 3 on 0.1 → 0.05"]


def test_settings_that_one_kind_alone_has_are_left_out(record: Record) -> None:
    found = names(record(steps=1), record(steps=1, optimizer=lambda p: torch.optim.Adam(p, lr=0.1)))
    assert found == ["optimizer SGD → Adam"]


def test_how_an_update_is_computed_does_not_count(record: Record) -> None:
    one = record(steps=1, optimizer=lambda p: torch.optim.SGD(p, lr=0.1, foreach=True))
    assert names(one, record(steps=1, optimizer=lambda p: torch.optim.SGD(p, lr=0.1, foreach=False))) == []


def test_losses_are_compared_by_their_settings(record: Record) -> None:
    smooth = record(steps=1, loss=lambda o, t: torch.nn.functional.cross_entropy(o, t, label_smoothing=0.5))
    assert names(record(steps=1), smooth) == ["loss label_smoothing 0 → 0.5"]
