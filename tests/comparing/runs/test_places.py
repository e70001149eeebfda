"""Places of a step, in their order."""

from stetho.comparing.runs.compare import compare_runs
from stetho.comparing.runs.curve import curve_of
from stetho.comparing.runs.joined import Joined
from stetho.comparing.runs.matching import match
from stetho.comparing.runs.places import ORDER, Place, factor_between, factor_of, places_at
from stetho.comparing.runs.recorded import Recorded
from tests.comparing.trainings import Net, Record


def test_places_come_in_the_order_in_which_a_step_computes_them(record: Record) -> None:
    places = compare_runs(record(), record(model=lambda: Net(scale=0.5))).places
    stages = [ORDER.index(place.stage) for place in places]
    assert stages == sorted(stages)
    assert [place.name for place in places if place.stage == "act"] == ["block", "head", ""]
    gradients = [place.name for place in places if place.stage == "grad"]
    assert gradients.index("head.weight") < gradients.index("embed.weight")


def test_a_place_says_what_it_is(record: Record) -> None:
    first = compare_runs(record(), record(model=lambda: Net(scale=0.5))).places[0]
    assert str(first) == "the output of `block` (Block)"
    assert (first.subnet, first.missing_in) == ("block", "")
    assert all(line is None or line.rpartition(":")[0].endswith(".py") for line in (*first.where, *first.called))


def test_one_factor_for_all_is_found_and_two_are_not(record: Record) -> None:
    def halve(model, _step):
        for parameter in model.parameters():
            parameter.grad /= 2

    def halve_one(model, _step):
        model.head.weight.grad /= 2

    for change, factor in ((halve, 0.5), (halve_one, None)):
        sides = Recorded(record()), Recorded(record(gradients=change))
        assert factor_between(1, "grad", Joined(*sides, match(*sides))) == factor


def test_a_larger_threshold_leaves_places_out(record: Record) -> None:
    sides = Recorded(record()), Recorded(record(model=lambda: Net(eps=1e-3)))
    joined, curve = Joined(*sides, match(*sides)), curve_of(*sides)
    assert len(places_at(1, joined, curve, sides, 0.01)) < len(places_at(1, joined, curve, sides, 0.0))


def test_the_factor_of_one_tensor_needs_all_of_its_moments() -> None:
    def place(**other: float) -> Place:
        one = {"rms": 1.0, "min": -1.0, "max": 3.0}
        return Place(1, "grad", "grad", "w", 0, {}, {}, 1.0, one, one | other)

    assert factor_of(place(rms=0.5, min=-0.5, max=1.5)) == 0.5
    assert factor_of(place(rms=0.5, min=-1.5, max=0.5)) == -0.5
    assert factor_of(place(rms=0.5)) is None
    assert factor_of(place()) is None
