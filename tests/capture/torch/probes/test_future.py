"""What a model says of the beginning of a sequence, and what it is given of its end."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from stetho.capture.torch.probes.future import before_end, with_other_end

from .test_calls import tried


class Recurrent(nn.Module):
    def __init__(self, both_ways):
        super().__init__()
        self.emb = nn.Embedding(20, 6)
        self.rnn = nn.GRU(6, 6, batch_first=True, bidirectional=both_ways)

    def forward(self, x):
        return self.rnn(self.emb(x))[0]


class Convolution(nn.Module):
    def __init__(self, left):
        super().__init__()
        self.left = left
        self.conv = nn.Conv1d(2, 5, 3)

    def forward(self, x):
        return self.conv(functional.pad(x.transpose(1, 2), (self.left, 2 - self.left)))


class Attention(nn.Module):
    def __init__(self, causal):
        super().__init__()
        self.causal = causal
        self.emb = nn.Embedding(20, 6)

    def forward(self, x):
        hidden = self.emb(x)
        return functional.scaled_dot_product_attention(hidden, hidden, hidden, is_causal=self.causal).flatten(0, 1)


TOKENS = torch.randint(0, 20, (5, 9), generator=torch.Generator().manual_seed(2))
WAVES = torch.randn(5, 9, 2, generator=torch.Generator().manual_seed(3))
MODELS = [
    (Recurrent(True), Recurrent(False), TOKENS),
    (Convolution(1), Convolution(2), WAVES),
    (Attention(False), Attention(True), TOKENS),
]


@pytest.mark.parametrize(("seeing", "causal", "inputs"), MODELS)
def test_only_a_model_that_looks_ahead_depends_on_what_comes_later(seeing, causal, inputs):
    assert tried(seeing, inputs)["future"] > 0.01
    assert tried(causal, inputs)["future"] == 0.0


def test_positions_may_come_first():
    model = nn.Sequential(nn.Embedding(20, 6), nn.TransformerEncoderLayer(6, 2, 8, 0.0))
    found = tried(model, TOKENS.t().contiguous())
    assert found["future_along_first"] > 0.01
    assert found["future"] == 0.0


def test_one_answer_for_each_sample_says_nothing():
    assert "future" not in tried(nn.Sequential(nn.Flatten(), nn.Linear(18, 3)), WAVES)


def test_the_only_sample_gets_an_end_from_its_beginning():
    assert with_other_end(torch.tensor([[1, 2, 3, 4, 5, 6]]), 1).tolist() == [[1, 2, 3, 4, 1, 2]]


def test_an_end_that_is_the_same_for_all_is_no_change():
    assert with_other_end(torch.zeros(4, 9), 1) is None
    assert with_other_end(torch.zeros(4), 1) is None


def test_answers_with_the_classes_in_the_middle_are_turned():
    assert before_end(torch.zeros(2, 7, 6), torch.Size((2, 6)), 1).shape == (2, 4, 7)


class Translation(nn.Module):
    def __init__(self, causal):
        super().__init__()
        self.causal = causal
        self.emb = nn.Embedding(20, 6)

    def forward(self, source, target):
        hidden = self.emb(target) + self.emb(source).mean(1, keepdim=True)
        return functional.scaled_dot_product_attention(hidden, hidden, hidden, is_causal=self.causal)


def test_what_a_decoder_reads_is_exchanged_by_itself():
    assert tried(Translation(False), TOKENS, TOKENS.flip(0))["future_of_1"] > 0.01
    assert tried(Translation(True), TOKENS, TOKENS.flip(0))["future_of_1"] == 0.0
