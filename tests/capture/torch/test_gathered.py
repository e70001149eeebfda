"""Answers that are gathered over an evaluation and compared with labels."""

import numpy as np
import pytest
import torch
from sklearn.metrics import accuracy_score
from torch import nn
from torch.nn import functional

from .conftest import sgd

X = torch.randn(120, 4, generator=torch.Generator().manual_seed(1))
Y = (X[:, 0] > 0).long()
MIXED = torch.randperm(120, generator=torch.Generator().manual_seed(2))


def evaluated(order, compare):
    model = nn.Linear(4, 2)
    optimizer = sgd(model)
    for _ in range(3):
        optimizer.zero_grad()
        functional.cross_entropy(model(X), Y).backward()
        optimizer.step()
    model.eval()
    answers = []
    with torch.no_grad():
        for rows in order.split(40):
            scores = model(X[rows])
            functional.cross_entropy(scores, Y[rows])
            answers.append(scores.argmax(1))
    compare(torch.cat(answers))


COMPARISONS = [
    lambda answers: (answers == Y).float().mean(),
    lambda answers: torch.eq(Y, answers).sum(),
    lambda answers: accuracy_score(Y.numpy(), answers.numpy()),
    lambda answers: accuracy_score(Y.tolist(), answers.tolist()),
]


@pytest.mark.parametrize("compare", COMPARISONS)
def test_labels_in_another_order_are_known(record, compare):
    found = record(lambda: evaluated(MIXED, compare)).model["probes"]["gathered"]
    assert found["count"] == 120
    assert found["line"].rpartition(":")[0].endswith("test_gathered.py")
    assert found["own"] != found["compared"]


@pytest.mark.parametrize("compare", COMPARISONS)
def test_labels_in_order_are_nothing_to_tell(record, compare):
    assert "gathered" not in record(lambda: evaluated(torch.arange(120), compare)).model["probes"]


def test_other_labels_are_nothing_to_tell(record):
    others = np.zeros(120, int)
    run = record(lambda: evaluated(MIXED, lambda answers: accuracy_score(others, answers.numpy())))
    assert "gathered" not in run.model["probes"]


def test_nothing_is_followed_when_the_run_is_over(record):
    before = torch.Tensor.__eq__
    record(lambda: evaluated(MIXED, COMPARISONS[0]))
    assert torch.Tensor.__eq__ is before
