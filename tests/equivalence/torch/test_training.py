"""What a set-up function has to bring."""

import pytest
import torch

from stetho.equivalence.torch.training import build, without_dropout
from stetho.errors import UsageError
from tests.equivalence.setups import Setup


def test_two_trainings_begin_with_the_same_weights() -> None:
    weights = [build(Setup).model[0].weight for _ in range(2)]
    assert torch.equal(*weights)


def test_what_is_missing_is_named() -> None:
    with pytest.raises(UsageError, match="the set-up has no `batches`, `loss`; a set-up function gives"):
        build(lambda: {"model": Setup().model, "optimizer": Setup().optimizer})


def test_something_else_than_a_model_is_refused() -> None:
    with pytest.raises(UsageError, match="`model` is a int"):
        build(lambda: {"model": 1, "optimizer": 2, "batches": [1], "loss": print})


def test_batches_begin_anew_when_they_are_over() -> None:
    batches = build(Setup).batches()
    assert len([next(batches) for _ in range(20)]) == 20


def test_no_batches_are_refused() -> None:
    training = build(Setup)
    training.given.data = []
    with pytest.raises(UsageError, match="has none"):
        next(training.batches())


def test_dropout_is_turned_off() -> None:
    training = build(lambda: Setup(drop=0.5))
    assert without_dropout(training)
    assert training.model[3].p == 0
    assert not without_dropout(build(Setup))
