"""The operands at the bad index."""

import torch

from stetho.capture.torch.autopsy.evidence import evidence_of

ATEN = torch.ops.aten


def evidence(func, *args):
    return evidence_of(func, args, {}, func(*args))


def test_broadcast_operands_are_read_at_the_index():
    found = evidence(ATEN.div.Tensor, torch.tensor([[1.0], [0.0]]), torch.tensor([2.0, 0.0]))
    assert (found.index, found.result, found.bad) == ((1, 1), "nan", 1)
    assert [operand.value for operand in found.operands] == [0.0, 0.0]
    assert found.rows == [1]


def test_numbers_are_operands_too():
    found = evidence(ATEN.pow.Tensor_Scalar, torch.tensor([0.0]), -1.0)
    assert [operand.value for operand in found.operands] == [0.0, -1.0]


def test_a_reduction_tells_over_how_many_values_it_goes():
    assert evidence(ATEN.mean.default, torch.ones(0)).facts["elements"] == 0
    assert evidence(ATEN._softmax.default, torch.full((2, 3), float("-inf")), 1, False).facts["along"] == 3


def test_a_finite_result_is_no_evidence():
    assert evidence(ATEN.log.default, torch.ones(2)) is None
