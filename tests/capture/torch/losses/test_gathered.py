"""Answers that are gathered over an evaluation and compared with labels."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from sklearn.metrics import accuracy_score
from torch import nn
from torch.nn import functional

from stetho.capture.guard import Guard
from stetho.capture.torch.losses.comparisons import Comparisons
from stetho.capture.torch.losses.gathered import Gathered
from stetho.capture.torch.losses.scores import Scores

from ..conftest import sgd

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


def test_what_we_compare_ourselves_is_not_the_programs(monkeypatch):
    heard = []
    monkeypatch.setattr(Gathered, "compare", lambda _, *sides: heard.append(sides))
    scores, guard = Scores(SimpleNamespace()), Guard(lambda *_: None)
    Comparisons(guard, scores)
    guard.wrap("ours", lambda: scores.gathered.on_comparison(1, 2))()
    assert heard == []
    scores.gathered.on_comparison(3, 4)
    assert heard == [(3, 4)]
