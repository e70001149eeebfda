"""Costs by layer, operation and stack, without what the instruments added."""

import pytest

from stetho.profiling.costs import Costs
from stetho.profiling.events import LAYER, MARK, PHASE, UPDATE, Event
from stetho.profiling.placing import place
from stetho.profiling.records import Layer

MILLISECOND = 1_000_000
LAYERS = [Layer("encoder", "Encoder"), Layer("encoder.fc", "Linear")]


def step_at(start: int) -> list[Event]:
    def at(name: str, first: float, last: float) -> Event:
        return Event(name, start + int(first * MILLISECOND), start + int(last * MILLISECOND))

    return [
        at(MARK, 0, 0),
        at(f"{PHASE}data", 0, 1),
        at(f"{LAYER}0", 1, 5),
        at(f"{LAYER}1", 2, 4),
        at("aten::mm", 2, 3),
        at(f"{UPDATE}SGD.step", 8, 10),
    ]


def costs(bare: list[float] | None = None) -> Costs:
    events = [*step_at(0), *step_at(10 * MILLISECOND), Event(MARK, 20 * MILLISECOND, 20 * MILLISECOND)]
    return Costs(place(events), LAYERS, bare or [])


def test_own_time_leaves_out_what_is_inside_and_total_does_not() -> None:
    outer, inner = costs().layers().values()
    assert (outer.name, outer.kind, outer.depth, outer.calls) == ("encoder", "Encoder", 0, 1)
    assert (outer.forward.mean, outer.forward_total.mean) == pytest.approx((0.002, 0.004))
    assert (inner.forward.mean, inner.forward_total.mean) == pytest.approx((0.002, 0.002))


def test_phases_add_up_to_the_step() -> None:
    phases = costs().phases()
    assert phases["data"].mean == pytest.approx(0.001)
    assert phases["forward"].mean == pytest.approx(0.004)
    assert phases["optimizer"].mean == pytest.approx(0.002)
    assert sum(measure.mean for name, measure in phases.items() if name != "before") == pytest.approx(0.010)


def test_steps_are_brought_back_to_the_length_that_they_have_without_instruments() -> None:
    corrected = costs(bare=[0.008, 0.008])
    assert corrected.measured == pytest.approx(0.010)
    assert sum(spent for _, spent in corrected.stacks()) == pytest.approx(0.008)
    assert sum(each.mean for name, each in corrected.phases().items() if name != "before") == pytest.approx(0.008)


def test_data_take_as_long_as_in_steps_without_instruments() -> None:
    events = [*step_at(0), Event(MARK, 10 * MILLISECOND, 10 * MILLISECOND)]
    phases = Costs(place(events), LAYERS, [0.005, 0.005], data=0.002).phases()
    assert phases["data"].mean == pytest.approx(0.002)
    assert sum(each.mean for name, each in phases.items() if name != "before") == pytest.approx(0.005)


def test_each_operation_has_its_phase_and_its_layer() -> None:
    (operation,) = costs().operations()
    assert (operation.name, operation.phase, operation.layer) == ("aten::mm", "forward", "encoder.fc")
    assert operation.own.mean == pytest.approx(0.001)
    assert costs().in_operations() == pytest.approx(0.001)


def test_stacks_name_phase_layers_and_operation() -> None:
    assert ("forward", "encoder", "encoder.fc", "aten::mm") in dict(costs().stacks())


def test_the_time_line_begins_with_the_first_step() -> None:
    spans = costs().spans(most=1)
    assert [(span.name, span.kind, span.step) for span in spans] == [
        ("data", "phase", 0),
        ("encoder", "layer", 0),
        ("encoder.fc", "layer", 0),
        ("aten::mm", "operation", 0),
        ("optimizer", "phase", 0),
    ]
    assert spans[2].start == pytest.approx(0.002)


def test_without_steps_there_are_no_costs() -> None:
    empty = Costs([], [], [])
    assert (empty.layers(), empty.operations(), empty.stacks(), empty.spans(3), empty.in_operations()) == (
        {},
        [],
        [],
        [],
        0,
    )


def test_an_event_that_the_machine_interrupted_counts_as_a_long_one_of_its_kind() -> None:
    events: list[Event] = []
    for number in range(6):
        start = number * 10 * MILLISECOND
        long = 5 if number == 2 else 0.001
        events += [Event(MARK, start, start), Event("aten::mm", start, start + int(long * MILLISECOND))]
    events.append(Event(MARK, 60 * MILLISECOND, 60 * MILLISECOND))
    (operation,) = Costs(place(events), []).operations()
    assert operation.own.high == pytest.approx(10e-6, rel=0.2)


def test_what_the_machine_interrupted_is_no_longer_in_those_that_called_it() -> None:
    events: list[Event] = []
    for number in range(6):
        start, long = number * 10 * MILLISECOND, 5 * MILLISECOND if number == 2 else 1000
        inner = Event("aten::copy_", start + 500, start + 500 + long)
        events += [Event(MARK, start, start), Event("aten::to", start, inner.end + 500), inner]
    events.append(Event(MARK, 60 * MILLISECOND, 60 * MILLISECOND))
    operations = {each.name: each for each in Costs(place(events), []).operations()}
    assert operations["aten::to"].total.high == pytest.approx(11e-6, rel=0.2)
    assert operations["aten::to"].total.low == pytest.approx(2e-6, rel=0.2)
