"""What a layer is called on in two runs."""

from torch import Tensor, nn
from torch.nn import functional

from stetho.comparing.runs.compare import compare_runs
from stetho.comparing.runs.feeding import drops_alike
from stetho.comparing.runs.places import Place
from tests.comparing.trainings import Record


class Dropping(nn.Module):
    """A layer, a function of its own code, dropout, and a head."""

    def __init__(self, function: str = "gelu", scale: float = 1.0) -> None:
        super().__init__()
        self.function, self.scale = getattr(functional, function), scale
        self.mid, self.drop, self.head = nn.Linear(6, 256), nn.Dropout(0.3), nn.Linear(256, 3)

    def forward(self, x: Tensor) -> Tensor:
        made: Tensor = self.head(self.drop(self.scale * self.function(self.mid(x))))
        return made


def place(zeros: tuple[float, float], count: float = 1000.0, kind: str = "Dropout") -> Place:
    layer = {"class": kind, "settings": "p=0.3, inplace=False", "training": True}
    one, other = ({"zeros": each, "count": count} for each in zeros)
    return Place(1, "act", "act", "drop", 0, layer, layer, 0.1, one, other)


def test_another_function_before_a_dropout_is_not_laid_to_chance(record: Record) -> None:
    found = compare_runs(record(steps=1, model=Dropping), record(steps=1, model=lambda: Dropping("silu")))
    assert (found.verdict.kind, found.places[0].name) == ("forward", "drop")
    assert "Gelu" in found.reasons[0]
    assert "Silu" in found.reasons[0]


def test_another_number_before_a_dropout_is_told_by_what_it_drops(record: Record) -> None:
    found = compare_runs(record(steps=1, model=Dropping), record(steps=1, model=lambda: Dropping(scale=0.5)))
    assert found.verdict.kind == "forward"
    assert "the same are dropped" in found.reasons[0]


def test_other_random_numbers_stay_chance(record: Record) -> None:
    found = compare_runs(record(steps=1, model=Dropping), record(steps=1, model=Dropping, drawing=12))
    assert found.verdict.kind == "randomness"


def test_as_many_dropped_elements_tell_nothing_where_they_are_few_or_not_dropped() -> None:
    assert drops_alike(place((290.0, 290.0)))
    assert not drops_alike(place((290.0, 301.0)))
    assert not drops_alike(place((3.0, 3.0), count=10.0))
    assert not drops_alike(place((290.0, 290.0), kind="LSTM"))
    assert not drops_alike(place((0.0, 0.0)))
