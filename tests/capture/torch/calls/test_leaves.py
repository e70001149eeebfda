"""Tensors inside of whatever a module gives back."""

from collections import OrderedDict, namedtuple
from dataclasses import dataclass

import pytest
import torch
from torch import Tensor, nn
from transformers.modeling_outputs import BaseModelOutput

from stetho.capture.torch.calls.leaves import DEEPEST, first_tensor, is_plain, tensor_leaves

ONE, TWO = torch.ones(1), torch.ones(2)
Point = namedtuple("Point", "x y")


@dataclass
class Output:
    logits: Tensor
    extra: object = None


def paths(value):
    return [path for path, _ in tensor_leaves(value)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (ONE, [""]),
        (nn.Parameter(ONE), [""]),
        ((ONE, TWO), ["[0]", "[1]"]),
        ([ONE, [TWO]], ["[0]", "[1][0]"]),
        ({"a": ONE, 3: TWO}, ["[a]", "[3]"]),
        (OrderedDict(b=ONE), ["[b]"]),
        (Point(ONE, TWO), ["[x]", "[y]"]),
        (Output(ONE, {"h": (TWO,)}), ["[logits]", "[extra][h][0]"]),
        (BaseModelOutput(last_hidden_state=ONE), ["[last_hidden_state]"]),
        ((None, 3, "text", b"bytes", 1.5, ONE), ["[5]"]),
        (None, []),
        (Output, []),
        (object(), []),
    ],
)
def test_every_tensor_is_found_with_its_path(value, expected):
    assert paths(value) == expected


def test_what_is_found_is_the_tensor_itself():
    assert next(iter(tensor_leaves({"a": (ONE,)})))[1] is ONE


def test_a_value_that_holds_itself_comes_to_an_end():
    endless = [ONE]
    endless.append(endless)
    assert len(paths(endless)) == DEEPEST


def test_texts_are_not_taken_apart():
    assert paths(["abc", {"key": "def"}]) == []


@pytest.mark.filterwarnings("ignore:.*(nested|CSR).*:UserWarning")
def test_tensors_without_values_that_can_be_read_are_left_out():
    class Own(Tensor):
        pass

    unreadable = {
        "subclass": ONE.as_subclass(Own),
        "meta": torch.ones(1, device="meta"),
        "nested": torch.nested.nested_tensor([ONE, TWO]),
        "jagged": torch.nested.nested_tensor([ONE, TWO], layout=torch.jagged),
        "backend": torch.ones(2, 2).to_mkldnn(),
    }
    assert paths(unreadable) == []
    assert not any(map(is_plain, unreadable.values()))
    assert paths({"sparse": ONE.to_sparse(), "rows": torch.eye(2).to_sparse_csr()}) == ["[sparse]", "[rows]"]


@pytest.mark.parametrize(
    "values", [((ONE, TWO), {}), ((), {"x": ONE}), ((None, "a", [ONE]), {"x": TWO}), (({"ids": ONE},), {})]
)
def test_the_first_tensor_is_found_in_arguments_and_keywords(values):
    assert first_tensor(*values) is ONE


def test_without_a_tensor_there_is_no_first():
    assert first_tensor((), {}) is None
    assert first_tensor((1, "a"), {"x": None}) is None
    assert first_tensor((torch.ones(1, device="meta"),)) is None
