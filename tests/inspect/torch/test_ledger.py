"""Tests of who made which tensor."""

from collections import OrderedDict
from dataclasses import dataclass

import torch
from torch import nn

from stetho.inspect.operations import Operand, TensorFacts
from stetho.inspect.torch.ledger import Ledger, facts_of, plain, storage_of, tensors_in


@dataclass
class Output:
    first: torch.Tensor
    rest: tuple[object, ...]


def test_a_tensor_is_known_by_identity_and_not_by_its_place_in_memory() -> None:
    ledger, tensor = Ledger(), torch.ones(2)
    ledger.made(5, [tensor])
    assert ledger.operand(tensor).maker == 5
    assert ledger.operand(tensor.clone()) == Operand(facts_of(tensor), None, "value")


def test_no_tensor_is_held_alive() -> None:
    ledger, tensor = Ledger(), torch.ones(2)
    ledger.made(0, [tensor])
    key = id(tensor)
    del tensor
    assert ledger._known[key][0]() is None


def test_below_autograd_a_tensor_is_known_by_its_storage() -> None:
    ledger, tensor = Ledger(), torch.ones(2, 2)
    ledger.made(7, [tensor], storages=True)
    assert ledger.operand(tensor.view(4)).maker == 7


def test_parts_have_the_first_of_their_names() -> None:
    ledger, layer = Ledger(), nn.BatchNorm1d(2)
    ledger.name_parts("a.norm", layer)
    ledger.name_parts("b.norm", layer)
    assert ledger.operand(layer.weight).origin == "parameter a.norm.weight"
    assert ledger.operand(layer.running_mean).origin == "buffer a.norm.running_mean"


def test_arguments_become_plain_data() -> None:
    inputs: list[Operand] = []
    value = [torch.ones(1), slice(1, None), torch.float16, ..., {"a": 1}, object(), "x" * 500, list(range(50))]
    tensor, *others = plain(value, Ledger(), inputs)
    assert tensor == TensorFacts((1,), "float32", "cpu")
    assert others[:5] == ["1::", "float16", "…", {"a": 1}, "object"]
    assert len(others[5]) == 200
    assert others[6][-1] == "…"
    assert len(inputs) == 1


def test_tensors_are_found_in_whatever_holds_them() -> None:
    one = torch.ones(1)
    held = OrderedDict(a=[one, None, 3], b=Output(one, ({"c": one}, "text")))
    assert len(list(tensors_in(held))) == 3


def test_of_a_packed_sequence_only_the_data_are_told() -> None:
    packed = nn.utils.rnn.pack_sequence([torch.ones(3, 2), torch.ones(1, 2)])
    assert [tuple(each.shape) for each in tensors_in((packed, torch.ones(1)))] == [(4, 2), (1,)]


def test_a_tensor_without_a_storage_has_no_place() -> None:
    assert storage_of(torch.ones(2).to_sparse()) == 0
