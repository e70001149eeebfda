"""The JSON of findings is what the published schema says, and reads back as the same findings."""

import json
import re
from typing import Any

import pytest

from stetho.findings.document import FORMAT, SCHEMA_FILE, finding_document, finding_of, verdict_document
from stetho.findings.finding import Finding, Steps, Where
from stetho.findings.verdict import Skipped, Verdict
from stetho.store.documents import encode

SCHEMA = json.loads(SCHEMA_FILE.read_text())
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "null": type(None)}

SYMPTOM = Finding("loss-plateau", "warning", 0.5, "the loss is 2.3", steps=Steps(1, 9, 9))
CAUSE = Finding(
    "graph-cut",
    "error",
    1,
    "no gradient reaches 4 of 4 parameters",
    Where("fc", "fc.weight", "train.py", 3),
    Steps(1, 9, 9),
    {"share": 0.5, "op": "detach", "grad": [1.0, float("nan")], "worst": float("inf")},
    ("loss-plateau",),
    "Look for `detach()`.",
    (SYMPTOM,),
)
VERDICT = Verdict((CAUSE,), (Skipped("overfitting", "no eval pass was recorded"),), ("double-softmax",))


def errors_in(value: Any, schema: dict[str, Any], place: str = "$") -> list[str]:
    """As much of JSON Schema as ours uses."""
    if "$ref" in schema:
        return errors_in(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], place)
    if "anyOf" in schema:
        return [] if any(not errors_in(value, each, place) for each in schema["anyOf"]) else [f"{place}: no form fits"]
    if "const" in schema:
        return [] if value == schema["const"] else [f"{place}: is {value!r}"]
    if "enum" in schema:
        return [] if value in schema["enum"] else [f"{place}: is {value!r}"]
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if isinstance(value, bool) or not any(isinstance(value, TYPES[kind]) for kind in kinds):
        return [f"{place}: is {value!r}"]
    found = []
    if isinstance(value, dict):
        found += [f"{place}: {name} is missing" for name in schema.get("required", []) if name not in value]
        for name, each in value.items():
            inner = schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))
            found += [f"{place}: {name} is unknown"] if inner is False else errors_in(each, inner, f"{place}.{name}")
    if isinstance(value, list):
        found += [f"{place}: too long"] if len(value) > schema.get("maxItems", len(value)) else []
        found += [
            error
            for place_, each in enumerate(value)
            for error in errors_in(each, schema["items"], f"{place}[{place_}]")
        ]
    if isinstance(value, str):
        found += [] if re.search(schema.get("pattern", ""), value) else [f"{place}: is {value!r}"]
    if isinstance(value, int | float):
        low, high = schema.get("minimum", value), schema.get("maximum", value)
        found += [] if low <= value <= high else [f"{place}: is {value}"]
    return found


def written(verdict: Verdict) -> Any:
    return json.loads(encode(verdict_document(verdict, "stetho-runs/a")))


def test_a_verdict_keeps_to_the_schema() -> None:
    assert errors_in(written(VERDICT), SCHEMA) == []


def test_an_empty_verdict_keeps_to_the_schema() -> None:
    assert errors_in(written(Verdict()), SCHEMA) == []


@pytest.mark.parametrize(
    "damage",
    [
        {"format": 2},
        {"extra": 1},
        {"findings": [{}]},
        {"clear": 3},
        {"clear": ["Not A Name"]},
        {"skipped": [{"check": "a"}]},
    ],
)
def test_the_schema_notices_what_is_wrong(damage: dict[str, Any]) -> None:
    assert errors_in(written(VERDICT) | damage, SCHEMA)


def test_the_schema_knows_every_field_of_a_finding() -> None:
    assert sorted(finding_document(CAUSE)) == sorted(SCHEMA["$defs"]["finding"]["properties"])
    assert SCHEMA["properties"]["format"]["const"] == FORMAT


def test_symptoms_are_nested_in_their_cause() -> None:
    assert [each["check"] for each in written(VERDICT)["findings"][0]["symptoms"]] == ["loss-plateau"]


def test_a_finding_reads_back_as_it_was() -> None:
    plain = Finding("a", "note", 0.25, "title", Where("fc"), Steps(1, 2, 2), {"x": 1.0}, ("b",), "try", (SYMPTOM,))
    assert finding_of(json.loads(encode(finding_document(plain)))) == plain
