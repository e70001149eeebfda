"""Rows of an embedding that inputs ask for."""

import pytest
import torch
from torch import nn

from ..conftest import sgd


class Reader(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.words = kind(10, 4)
        self.out = nn.Linear(4, 1)

    def forward(self, ids):
        return self.out(self.words(ids))


@pytest.mark.parametrize("kind", [nn.Embedding, nn.EmbeddingBag])
def test_rows_are_counted_once_however_often_they_are_asked_for(record, kind):
    model = Reader(kind)
    optimizer = sgd(model)

    def program():
        for step in range(3):
            optimizer.zero_grad()
            model(torch.tensor([[1, 1, 2], [2, 5 + step, 1]])).sum().backward()
            optimizer.step()

    (words,) = [
        layer for layer in record(program, model, optimizer).model["models"][0]["layers"] if layer["name"] == "words"
    ]
    assert words["rows_asked"] == 5
    assert words["highest_asked"] == [2, 7, 2]


def test_other_layers_have_no_rows(record):
    model = nn.Linear(3, 1)
    optimizer = sgd(model)

    def program():
        model(torch.ones(2, 3)).sum().backward()
        optimizer.step()

    layers = record(program, model, optimizer).model["models"][0]["layers"]
    assert [layer["rows_asked"] for layer in layers] == [None]


def test_how_often_the_last_row_is_asked_for_is_counted(record):
    model = Reader(nn.Embedding)
    optimizer = sgd(model)
    last = model.words.num_embeddings - 1

    def program():
        for _ in range(2):
            optimizer.zero_grad()
            model(torch.tensor([[last, 1, last, 2]])).sum().backward()
            optimizer.step()

    layers = record(program, model, optimizer).model["models"][0]["layers"]
    assert {layer["share_at_end"] for layer in layers} == {None, 0.5}
