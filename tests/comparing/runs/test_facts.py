"""What two runs say of themselves."""

from stetho.comparing.runs.facts import differing_facts, is_same_machine
from stetho.comparing.runs.matching import match
from stetho.comparing.runs.recorded import Recorded
from tests.comparing.trainings import Net, Record


def facts(one, other) -> dict[str, str]:
    sides = Recorded(one), Recorded(other)
    return {fact.name: f"{fact.one} → {fact.other}" for fact in differing_facts(*sides, match(*sides))}


def test_the_same_program_has_no_differing_facts(record: Record) -> None:
    assert facts(record(steps=1), record(steps=1)) == {}


def test_settings_of_a_layer_are_cut_to_what_differs(record: Record) -> None:
    found = facts(record(steps=1), record(steps=1, model=lambda: Net(eps=0.1)))
    assert found == {"`norm` settings": "eps=1e-05 → eps=0.1"}


def test_versions_and_commands_are_compared(record: Record) -> None:
    one, other = record(steps=1), record(steps=1)
    other.info["python"] = "3.99"
    other.info["command"] = ["train.py", "--lr", "1"]
    other.info["git"] = {"commit": "a" * 40}
    found = facts(one, other)
    assert found["python"].endswith("3.99")
    assert found["command"].endswith("train.py --lr 1")
    assert found["git commit"].endswith("aaaaaaaaaaaa")


def test_what_is_said_of_many_parameters_is_said_once(record: Record) -> None:
    one, other = record(steps=1), record(steps=1)
    for parameter in other.model["models"][0]["parameters"]:
        parameter["dtype"] = "float64"
    assert facts(one, other) == {"dtype": "float32 → float64"}


def test_a_layer_of_one_run_alone_is_named(record: Record) -> None:
    one, other = record(steps=1), record(steps=1)
    model = other.model["models"][0]
    model["layers"] = [layer for layer in model["layers"] if layer["name"] != "drop"]
    assert facts(one, other) == {"layer `drop` Dropout": "there → –"}


def test_bits_are_expected_to_be_equal_on_the_same_machine_alone(record: Record) -> None:
    one, other = record(steps=1), record(steps=1)
    sides = Recorded(one), Recorded(other)
    assert is_same_machine(differing_facts(*sides, match(*sides)))
    other.info["machine"] = {**other.info["machine"], "threads": 99}
    assert not is_same_machine(differing_facts(*sides, match(*sides)))
