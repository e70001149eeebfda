"""Tests of inputs: texts, shapes, batches and functions become calls."""

from collections import namedtuple
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader

from stetho.errors import UsageError
from stetho.inspect.call import Call
from stetho.inspect.inputs import call_from, call_of, fitted, needed

LOADERS = """
from torch.utils.data import DataLoader
import torch
full = DataLoader([(torch.full((3,), 7.0), 1)], batch_size=1)
empty = DataLoader([])
batches = [torch.ones(2, 3)]
number = 5
"""


class Takes(nn.Module):
    """Takes two tensors, and may take a third."""

    def forward(self, first: torch.Tensor, second: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        return first + second if mask is None else mask


def test_shapes_become_tensors_of_the_models_own_type_without_drawing_from_the_random_state() -> None:
    model, before = nn.Linear(3, 1).double(), torch.get_rng_state()
    (made,) = call_of(model, (2, 3)).args
    assert made.shape == (2, 3)
    assert made.dtype == torch.float64
    assert torch.equal(torch.get_rng_state(), before)


def test_whole_numbers_stay_below_their_bound() -> None:
    (made,) = call_of(nn.Embedding(7, 2), "100:int64:7").args
    assert made.dtype == torch.int64
    assert 1 < int(made.max()) < 7


def test_a_type_that_torch_does_not_have_is_an_error() -> None:
    with pytest.raises(UsageError, match="float33"):
        call_of(nn.Linear(1, 1), "1:float33")


def test_a_dict_gives_named_arguments_where_the_model_has_such_names() -> None:
    one = torch.ones(1)
    assert set(call_of(Takes(), {"first": one, "second": one}).kwargs) == {"first", "second"}
    assert call_of(Takes(), {"image": one}).args == ({"image": one},)


def test_a_tuple_holds_the_arguments_and_a_list_is_one() -> None:
    one, pair = torch.ones(1), namedtuple("pair", "a b")(1, 2)
    assert call_of(Takes(), (one, one)).args == (one, one)
    assert call_of(Takes(), [one, one]).args == ([one, one],)
    assert call_of(Takes(), pair).args == (pair,)
    assert call_of(Takes(), one).args == (one,)


def test_a_function_is_called_with_the_model() -> None:
    assert call_of(nn.ReLU(), lambda model: model(torch.tensor(-1.0))).of(nn.ReLU()) == 0


def test_a_loader_gives_what_the_model_takes_of_its_first_batch() -> None:
    loader = DataLoader([(torch.ones(3), 1), (torch.ones(3), 2)], batch_size=2, shuffle=True)
    model, before = nn.Linear(3, 1), torch.get_rng_state()
    (images,) = call_of(model, loader).args
    assert images.shape == (2, 3)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize(
    ("batch", "expected"),
    [
        (["a", "b", "labels"], Call(("a", "b"))),
        ({"first": 1, "labels": 2}, Call((), {"first": 1})),
        ({"other": 1}, Call(({"other": 1},))),
        ("text", Call(("text",))),
    ],
)
def test_labels_are_left_out_of_a_batch(batch: object, expected: Call) -> None:
    assert fitted(Takes(), batch) == expected


def test_the_command_line_takes_inputs_or_a_loader(tmp_path: Path) -> None:
    file = tmp_path / "loaders_of_a_test.py"
    file.write_text(LOADERS)
    model = nn.Linear(3, 1)
    call = call_from(model, [], f"{file}:full")
    assert call is not None
    assert call.args[0].tolist() == [[7.0, 7.0, 7.0]]
    assert call_from(model, [], f"{file}:batches") is not None
    assert call_from(model, [], None, Call((1,))) == Call((1,))
    assert call_from(model, []) is None
    with pytest.raises(UsageError, match="both --input and --loader"):
        call_from(model, ["1"], f"{file}:full")
    with pytest.raises(UsageError, match="empty"):
        call_from(model, [], f"{file}:empty")
    with pytest.raises(UsageError, match="gives batches"):
        call_from(model, [], f"{file}:number")


def test_missing_inputs_are_asked_for_with_the_names_that_the_model_takes() -> None:
    with pytest.raises(UsageError, match=r"Linear.forward takes \(input\); add --input"):
        needed(nn.Linear(1, 1), None)


@pytest.mark.parametrize("batch", ['{"x": torch.ones(2, 3)}', "(torch.ones(2, 3), torch.zeros(2))", "torch.ones(2, 3)"])
def test_a_function_may_make_one_batch_in_the_place_of_a_loader(tmp_path: Path, batch: str) -> None:
    file = tmp_path / "one.py"
    file.write_text(f"import torch\ndef batch():\n    return {batch}\n")

    class Net(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x

    call = call_from(Net(), [], f"{file}:batch")
    assert call is not None
    (given,) = (*call.args, *call.kwargs.values())
    assert given.shape == (2, 3)
