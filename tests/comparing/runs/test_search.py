"""The first step that differs."""

import torch

from stetho.comparing.runs.compare import compare_runs
from tests.comparing.trainings import Record


def test_without_measurements_of_layers_the_loss_still_tells(record: Record) -> None:
    one, other = record(), record(loss=lambda o, t: torch.nn.functional.cross_entropy(o, t) * 2)
    for run in (one, other):
        run.__dict__["series"] = []
        run._rows["stats"] = type(run.rows("stats"))()
    found = compare_runs(one, other)
    assert found.verdict.step == 1
    assert found.places[0].stage == "loss"
    assert found.verdict.kind == "loss"


def test_an_update_that_was_not_measured_is_not_called_outside(record: Record) -> None:
    def nudge(model, _optimizer, step):
        if step == 2:
            model.head.weight.data.mul_(2)

    found = compare_runs(record(), record(after=nudge))
    assert found.verdict.kind == "outside"
    # Without the update of the step before, nobody can tell.
    one, lacking = record(), record(after=nudge)
    for run in (one, lacking):
        run.__dict__["series"] = [s for s in run.series if s.role != "update"]
    found = compare_runs(one, lacking)
    assert found.verdict.kind == "update"
    assert any("was not measured in both runs" in note for note in found.notes)
