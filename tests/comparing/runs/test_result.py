"""The comparison as an object."""

import json

from stetho.comparing.runs.compare import compare_runs
from tests.comparing.trainings import Net, Record


def test_it_is_plain_data_that_json_can_hold(record: Record) -> None:
    found = compare_runs(record(), record(loss=lambda o, _: o.sum() * float("nan")))
    document = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert document["equal"] is False
    assert document["verdict"]["kind"] == "loss"
    assert document["loss"]["other"][0] == "NaN"


def test_the_table_has_a_row_for_each_place(record: Record) -> None:
    found = compare_runs(record(), record(model=lambda: Net(scale=0.5)))
    assert len(found.table()) == len(found.places)
    assert found.table()[0]["name"] == "block"
    assert found.to_json()["first_difference"]["subnet"] == "block"


def test_as_text_it_is_the_verdict_with_its_reasons(record: Record) -> None:
    found = compare_runs(record(), record(seed=1))
    assert str(found).splitlines()[1].startswith("- ")
    assert found.with_notes("more").notes[-1] == "more"
