"""Which layer stands for which."""

from torch import nn

from stetho.comparing.runs.matching import match
from stetho.comparing.runs.recorded import Recorded
from tests.comparing.trainings import Record


def chain(*layers):
    return lambda: nn.Sequential(*layers)


def test_an_inserted_layer_shifts_the_others(record: Record) -> None:
    one = record(steps=1, model=chain(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3)))
    other = record(steps=1, model=chain(nn.Linear(6, 8), nn.Dropout(0.1), nn.ReLU(), nn.Linear(8, 3)))
    found = match(Recorded(one), Recorded(other))
    assert found.layers[0, "3"] == (0, "2")
    assert found.parameters[0, "3.weight"] == (0, "2.weight")
    assert found.only_other == [(0, "1")]


def test_an_exchanged_layer_keeps_its_name(record: Record) -> None:
    one = record(steps=1, model=chain(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3)))
    other = record(steps=1, model=chain(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 3)))
    assert match(Recorded(one), Recorded(other)).layers[0, "1"] == (0, "1")


def test_the_path_of_an_output_stays_with_it(record: Record) -> None:
    run = record(steps=1)
    found = match(Recorded(run), Recorded(run))
    assert found.name("act", (0, "head[logits]")) == (0, "head[logits]")
    assert found.name("param", (0, "nothing.weight")) is None
