"""An autopsy as plain data."""

import json

from stetho.capture.torch.autopsy.births import Birth
from stetho.capture.torch.autopsy.document import birth_document
from stetho.capture.torch.autopsy.ops import Evidence, Op, Operand

LOG = Op(3, "log", "loss", "train.py:9", None, has_inf=True)
LOG.evidence = Evidence((1, 0), (4, 2), "float32", 2, "-inf", [Operand("self", "float32[4, 2]", float("inf"))], [1, 2])


def test_is_json_whatever_the_values():
    text = json.dumps(birth_document(Birth(LOG, None, ()), batch=4), allow_nan=False)
    assert '"value": "inf"' in text


def test_samples_are_named_only_where_rows_are_samples():
    assert birth_document(Birth(LOG, None, ()), batch=4)["samples"] == [1, 2]
    assert birth_document(Birth(LOG, None, ()), batch=32)["samples"] == []


def test_a_long_way_is_cut_in_the_middle():
    way = tuple(Op(n, f"op{n}", "forward", None, None) for n in range(40))
    chain = birth_document(Birth(LOG, None, way), batch=None)["chain"]
    assert [link["operation"] for link in chain][5:8] == ["op5", "… 28 more …", "op34"]


def test_what_came_from_outside_has_its_name():
    assert birth_document(Birth(None, "input[0]", ()), batch=None)["origin"] == "input[0]"
