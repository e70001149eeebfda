"""Tensors that come into a step from outside."""

import torch
from torch import nn

from stetho.capture.torch.autopsy.births import Birth
from stetho.capture.torch.autopsy.given import bad_data, tensors_from_outside
from stetho.capture.torch.autopsy.kept import RootCall
from stetho.capture.torch.autopsy.ops import Op
from stetho.capture.torch.autopsy.tape import Tape, TapeOp


def call(*args):
    return RootCall(nn.Identity(), "", args, {}, None, True, True, [], ())


def test_the_bad_samples_of_a_batch_are_named():
    batch = torch.ones(4, 2)
    batch[2, 1] = float("nan")
    taker = Op(1, "addmm", "forward", "train.py:3", "fc")
    facts = bad_data(Birth(None, "input[0]", (taker,)), [call(torch.ones(3), batch)])
    assert facts == {"line": "train.py:3", "layer": "fc", "index": [2, 1], "shape": [4, 2], "samples": [2], "bad": 1,
                     "result": "nan"}  # fmt: skip


def test_a_mask_is_the_culprit_only_where_nothing_else_is():
    mask, batch = torch.full((2,), float("-inf")), torch.tensor([1.0, float("inf")])
    assert bad_data(Birth(None, "", ()), [call(mask, batch)])["result"] == "inf"
    assert bad_data(Birth(None, "", ()), [call(mask)])["result"] == "-inf"
    assert bad_data(Birth(None, "", ()), [call(torch.ones(2))]) == {"line": None, "layer": None}


def test_what_the_step_made_did_not_come_from_outside():
    target, made = torch.zeros(2), torch.ones(2)
    tape = Tape([TapeOp(torch.exp, (target,), {}, made, None, True), TapeOp(torch.log, (made,), {}, made, None, True)])
    assert [id(each) for each in tensors_from_outside([tape])] == [id(target)]


def test_of_a_tensor_without_a_name_the_places_are_told_that_were_seen_on_the_way():
    taker = Op(1, "sparse_addmm", "forward", "train.py:3", "Graph")
    seen = {"index": [10, 11], "shape": [12, 12], "samples": [10], "bad": 1, "result": "inf"}
    facts = bad_data(Birth(None, "", (taker,), seen), [call(torch.ones(12, 5))])
    assert facts == {"line": "train.py:3", "layer": "Graph", "index": [10, 11], "shape": [12, 12], "bad": 1,
                     "result": "inf"}  # fmt: skip
