"""The whole comparison of two recorded runs."""

import pytest

from stetho.comparing.runs.compare import compare_runs, is_told_apart, noticeable
from stetho.comparing.runs.fact import Fact
from stetho.comparing.runs.recorded import Recorded
from tests.comparing.trainings import Net, Record, batches


def test_runs_without_a_common_step_cannot_be_compared(record: Record) -> None:
    found = compare_runs(record(steps=2), record(steps=2), offset=10)
    assert found.verdict.kind == "incomparable"
    assert not found.is_equal


def test_a_resumed_run_is_compared_from_its_own_first_step(record: Record) -> None:
    whole = record(steps=4)
    found = compare_runs(whole, record(steps=2), offset=2)
    assert found.first_difference is not None
    assert found.first_difference.step == 3


def test_on_another_machine_rounding_is_no_difference(record: Record) -> None:
    one, other = record(), record(model=lambda: Net(eps=1.0000001e-5))
    other.info["versions"] = {**other.info["versions"], "torch": "9.9"}
    assert compare_runs(one, other).is_equal


def test_on_another_machine_a_fault_is_still_found(record: Record) -> None:
    one, other = record(), record(model=lambda: Net(scale=0.5))
    other.info["versions"] = {**other.info["versions"], "torch": "9.9"}
    found = compare_runs(one, other)
    assert (found.verdict.kind, found.verdict.step) == ("forward", 1)
    assert found.places[0].name == "block"


def test_a_fault_after_some_steps_of_rounding_is_found_where_it_begins(record: Record) -> None:
    def jump(model, _optimizer, step):
        for parameter in model.parameters():
            parameter.data.mul_(1 + 1e-6)
            if step == 4:
                parameter.data.mul_(1.5)

    one, other = record(steps=8), record(steps=8, after=jump)
    other.info["machine"] = {**other.info["machine"], "cpu": "another"}
    found = compare_runs(one, other)
    assert found.verdict.step == 5
    assert found.growth is not None
    assert found.growth.breaks_at == 5


def test_less_exact_numbers_allow_for_more_rounding(record: Record) -> None:
    exact = Recorded(record(steps=1))
    half = Recorded(
        record(steps=1, before=lambda m: m.bfloat16(), data=lambda n: ((x.bfloat16(), y) for x, y in batches(n)))
    )
    assert noticeable((exact, half)) > 100 * noticeable((exact, exact))


@pytest.mark.parametrize(
    ("fact", "told"),
    [
        (Fact("environment", "torch", "2", "3"), False),
        (Fact("configuration", "command", "a", "b"), False),
        (Fact("hyperparameters", "lr", "1", "2"), True),
    ],
)
def test_settings_tell_runs_apart_and_machines_do_not(fact: Fact, told: bool) -> None:
    assert is_told_apart([fact]) is told
