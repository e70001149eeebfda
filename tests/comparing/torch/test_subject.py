"""A copy of a model that is run."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from stetho.comparing.torch.subject import Subject, subjects_of, two_calls, weights_like
from stetho.errors import UsageError
from stetho.inspect.call import Call


def test_weights_are_put_into_the_copy_alone() -> None:
    model = nn.Linear(2, 2)
    before = model.weight.clone()
    subject = Subject(model, Call((torch.ones(1, 2),)), "net")
    subject.take({"weight": np.zeros((2, 2))})
    assert subject.trace().weights["weight"].sum() == 0
    assert torch.equal(before, model.weight)
    assert weights_like(model, subject)["weight"].dtype == np.float32


def test_names_that_the_second_model_does_not_know_are_given_in_their_order() -> None:
    class Renamed(nn.Module):
        def forward(self, ids: Tensor) -> Tensor:
            return ids * 2

    calls = two_calls((nn.ReLU(), Renamed()), {"input": torch.ones(2)})
    assert list(calls[0].kwargs) == ["input"]
    assert len(calls[1].args) == 1


def test_a_model_that_cannot_be_copied_is_told() -> None:
    model = nn.Linear(2, 2)
    model.lines = (line for line in "ab")  # type: ignore[assignment]
    with pytest.raises(UsageError, match="cannot be copied"):
        subjects_of((model, model), (1, 2), ("first", "second"))
